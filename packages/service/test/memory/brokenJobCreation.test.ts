import { jobStoreCases } from "@earmark/testkit/contracts"
import { Effect, Exit } from "effect"
import { keeping, neverRollsBack, suiteCatches } from "./breaking.js"
import { breaking, breakingTables } from "./breakingJobs.js"

const racingReplay = "of 100 racing creates with one key one makes a job"
const replay = "a repeated key is answered with the first answer"

suiteCatches("JobStore", [
  breakingTables(
    "forgets that a job was made with a test key",
    ({ jobs }) => ({ jobs: keeping(jobs, (job) => ({ ...job, isTest: false })) }),
    "a job made with a test key",
  ),
  breakingTables(
    "takes every job for a test",
    ({ jobs }) => ({ jobs: keeping(jobs, (job) => ({ ...job, isTest: true })) }),
    "a job made with a test key",
  ),
  breaking(
    "loses the guard",
    ({ create }) => ({ create: (job, options) => create(job, { ...options, guard: null }) }),
    replay,
    "a key that comes with another request is refused",
    racingReplay,
  ),
  breaking(
    "loses the guard of what is done at once, and of batches",
    ({ createDone, createBatch }) => ({
      createDone: (job, finished) => createDone(job, finished, { guard: null }),
      createBatch: (batch) => createBatch({ ...batch, guard: null }),
    }),
    "a job that is done at once",
    "a repeated batch",
  ),
  breaking(
    "looks for the key before it creates, so that a race creates twice",
    (store) => {
      const answers = new Map<string, string>()
      return {
        create: (job, options) =>
          Effect.gen(function* () {
            const key = `${job.account} ${options.guard?.key}`
            const answer = answers.get(key)
            if (answer !== undefined) return { type: "replayed", answer } as const
            yield* Effect.yieldNow()
            const made = yield* store.create(job, { ...options, guard: null })
            if (options.guard !== null) answers.set(key, options.guard.answer)
            return made
          }),
      }
    },
    racingReplay,
  ),
  breaking(
    "answers a repeat with its own answer",
    ({ create }) => ({
      create: (job, options) =>
        Effect.map(create(job, options), (made) =>
          made.type === "done" ? made : { type: "replayed", answer: options.guard?.answer ?? "" },
        ),
    }),
    replay,
    racingReplay,
  ),
  breakingTables(
    "shares keys between accounts",
    ({ guards }) => ({
      guards: {
        ...guards,
        get: (key) => guards.get(key.split(" ")[1] ?? ""),
        set: (key, row) => guards.set(key.split(" ")[1] ?? "", row),
      },
    }),
    "the same key of another account is another key",
  ),
  breakingTables(
    "keeps keys for ever",
    ({ guards }) => ({ guards: keeping(guards, (row) => ({ ...row, expiresAt: Number.MAX_VALUE })) }),
    "a key is free again after its time",
  ),
  {
    what: "writes one half of a batch or a job, and refuses the other",
    layer: neverRollsBack,
    cases: jobStoreCases,
    caughtBy: ["only a failed job is retried, and only when its hold fits"],
  },
  breaking(
    "stores the jobs of a batch one by one, until one does not fit",
    (store) => ({
      createBatch: (batch) =>
        Effect.gen(function* () {
          for (const job of batch.jobs) {
            const one = { guard: null, maxWaiting: null }
            if (Exit.isFailure(yield* Effect.exit(store.create(job, one)))) break
          }
          return { type: "done" } as const
        }),
    }),
    "5,000 jobs of a feed",
    "a batch is refused as a whole",
    "a repeated batch",
  ),
  breaking(
    "refuses a batch that does not fit as a whole",
    (store) => ({
      createBatch: (batch) => {
        const needed = batch.jobs.reduce((sum, { hold }) => sum + hold, 0)
        return store.createBatch({ ...batch, jobs: needed > 100 ? [] : batch.jobs })
      },
    }),
    "5,000 jobs of a feed",
  ),
  breakingTables(
    "gives a batch the priority of single jobs",
    ({ entries }) => ({ entries: keeping(entries, (row) => ({ ...row, priority: 100 })) }),
    "a whole feed never stands before a single job",
  ),
  breaking(
    "counts no waiting jobs",
    ({ create }) => ({ create: (job, { guard }) => create(job, { guard, maxWaiting: null }) }),
    "no more jobs than allowed wait at once",
  ),
  breakingTables(
    "has no floor",
    ({ balances }) => ({
      balances: {
        ...balances,
        get: (key) => {
          const row = balances.get(key)
          return row === undefined ? row : { ...row, floor: -1_000_000 }
        },
      },
    }),
    "a job whose hold does not fit leaves nothing behind",
    "100 racing holds never go below the floor",
  ),
  breakingTables(
    "does not release holds",
    ({ holds, balances }) => ({
      holds: keeping(holds, (row, before) => (row.state === "released" && before ? before : row)),
      balances: keeping(balances, (row, before) =>
        before !== undefined && row.posted === before.posted && row.held < before.held ? before : row,
      ),
    }),
    "canceling a queued job ends it",
    "what is past its retention",
    "whatever happens, in whatever order",
  ),
])
