import type { AccountId, JobId } from "@earmark/core/jobs"
import { historyCases, jobStoreCases } from "@earmark/testkit/contracts"
import { Effect, Exit } from "effect"
import { JobStore } from "../../src/index.js"
import { type Break, breaksOf, breaksOfTables, keeping, neverRollsBack, suiteCatches } from "./breaking.js"

const breaking = breaksOf(JobStore, jobStoreCases)
const breakingTables = breaksOfTables([...jobStoreCases, ...historyCases])

type Store = JobStore["Type"]

/** Takes everybody for the owner of a job. */
const leaking = (
  method: string,
  use: (store: Store, owner: (id: JobId) => AccountId) => Partial<Store>,
): Break => {
  const owners = new Map<JobId, AccountId>()
  const owner = (id: JobId) => owners.get(id) ?? Effect.runSync(Effect.dieMessage("nobody made it"))
  return breaking(
    `lets another account ${method}`,
    (store) => ({
      create: (job, options) => {
        owners.set(job.id, job.account)
        return store.create(job, options)
      },
      createDone: (job, finished, options) => {
        owners.set(job.id, job.account)
        return store.createDone(job, finished, options)
      },
      ...use(store, owner),
    }),
    "what belongs to another account does not exist",
  )
}

/** Does for all accounts what is asked for one. */
const finding = (
  what: string,
  use: (store: Store, everybody: () => ReadonlyArray<AccountId>) => Partial<Store>,
): Break => {
  const accounts = new Set<AccountId>()
  return breaking(
    `${what} the jobs of everybody`,
    (store) => ({
      createDone: (job, finished, options) => {
        accounts.add(job.account)
        return store.createDone(job, finished, options)
      },
      ...use(store, () => [...accounts]),
    }),
    "what belongs to another account does not exist",
  )
}

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
    "forgets what ended since a moment",
    (store) => ({ changed: (account, which) => store.changed(account, { ...which, since: null }) }),
    "jobs that may have changed are those that run, were created or ended since a moment, or are named",
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
  leaking("read its jobs", (store, owner) => ({ get: (_, id) => store.get(owner(id), id) })),
  leaking("read its transcripts", (store, owner) => ({ content: (_, id) => store.content(owner(id), id) })),
  leaking("change its jobs", (store, owner) => ({
    patch: (_, id, patch) => store.patch(owner(id), id, patch),
  })),
  leaking("cancel its jobs", (store, owner) => ({ cancel: (_, id) => store.cancel(owner(id), id) })),
  leaking("retry its jobs", (store, owner) => ({ retry: (_, id, hold) => store.retry(owner(id), id, hold) })),
  leaking("remove its jobs", (store, owner) => ({ remove: (_, id) => store.remove(owner(id), id) })),
  finding("lists", (store, everybody) => ({
    list: (_, filter) =>
      Effect.map(
        Effect.forEach(everybody(), (account) => store.list(account, filter)),
        (pages) => ({
          items: pages.flatMap(({ items }) => items),
          next: null,
        }),
      ),
  })),
  finding("searches", (store, everybody) => ({
    search: (_, filter) =>
      Effect.map(
        Effect.forEach(everybody(), (account) => store.search(account, filter)),
        (found) => found.flat(),
      ),
  })),
  finding("sums up", (store, everybody) => ({
    usage: (_, range) =>
      Effect.map(
        Effect.forEach(everybody(), (account) => store.usage(account, range)),
        (found) => found.flat(),
      ),
  })),
  breaking(
    "shows batches of others",
    (store) => {
      const owners = new Map<string, AccountId>()
      return {
        createBatch: (batch) => {
          owners.set(batch.id, batch.account)
          return store.createBatch(batch)
        },
        batch: (account, id) => store.batch(owners.get(id) ?? account, id),
        batches: (account, page) => store.batches([...owners.values()][0] ?? account, page),
      }
    },
    "what belongs to another account does not exist",
    "each batch of an account is listed oldest first",
  ),
  breaking(
    "begins a page at a place that moves when jobs come in",
    (store) => {
      const offsets = new Map<string, number>()
      return {
        list: (account, filter) =>
          Effect.gen(function* () {
            const key = filter.after?.id ?? ""
            const from = filter.after === null ? 0 : (offsets.get(key) ?? 0)
            const all = yield* store.list(account, { ...filter, after: null, limit: 10_000 })
            const items = all.items.slice(from, from + filter.limit)
            const last = items.at(-1)
            const next = last === undefined || from + filter.limit >= all.items.length ? null : last
            if (next !== null) offsets.set(next.id, from + filter.limit)
            return { items, next }
          }),
      }
    },
    "pages of a list hold each job once, newest first, while new ones come in",
  ),
  breaking(
    "begins a page by its time alone",
    (store) => ({
      list: (account, filter) => {
        const { after } = filter
        const id = filter.order === "asc" ? "zz" : ""
        return store.list(account, { ...filter, after: after === null ? null : { ...after, id } })
      },
    }),
    "pages of a list hold each job once, oldest first, also jobs of one moment",
  ),
  breakingTables(
    "changes a job that has ended",
    ({ jobs }) => ({
      jobs: {
        ...jobs,
        get: (key) => {
          const job = jobs.get(key)
          if (job?.state.status !== "failed") return job
          const { run, startedAt } = job.state
          const state = {
            status: "queued",
            phase: "waiting",
            progress: 0,
            run,
            startedAt,
            waitingSince: null,
          } as const
          return { ...job, state }
        },
      },
    }),
    "canceling a queued job ends it",
    "whatever happens, in whatever order",
  ),
  breaking(
    "retries with options of today",
    (store) => ({
      retry: (account, id, hold) =>
        Effect.map(store.retry(account, id, hold), (job) => ({
          ...job,
          options: { ...job.options, diarize: !job.options.diarize },
        })),
    }),
    "a retry is the next run of the same job",
  ),
  breakingTables(
    "takes a retry for the first run",
    ({ jobs }) => ({
      jobs: keeping(jobs, (job) =>
        job.state.status === "failed" ? { ...job, state: { ...job.state, run: -1 } } : job,
      ),
    }),
    "a job that fails again after a retry tells so under an id of its own",
  ),
  breakingTables(
    "does not tell of ends",
    ({ deliveries }) => ({ deliveries: { ...deliveries, set: () => {} } }),
    "a job that is done at once",
    "canceling a queued job ends it",
    "events go to the endpoints of the account that want them",
    "whatever happens, in whatever order",
  ),
  breakingTables(
    "tells of an end twice",
    ({ deliveries, newId }) => ({
      deliveries: {
        ...deliveries,
        set: (key, row) => {
          deliveries.set(key, row)
          if (row.attempts === 0) deliveries.set(newId("delivery"), row)
        },
      },
    }),
    "canceling a queued job ends it",
    "a done job stays as it is, whatever comes",
    "whatever happens, in whatever order",
  ),
  breakingTables(
    "tells endpoints of other accounts",
    ({ endpoints }) => ({
      endpoints: { ...endpoints, filter: () => [...endpoints.values()] },
    }),
    "events go to the endpoints of the account that want them",
  ),
  breakingTables(
    "leaves the work of an ended job in the queue",
    ({ entries }) => ({ entries: { ...entries, delete: () => {} } }),
    "canceling a queued job ends it",
    "a canceled job is lost to its worker",
  ),
  breaking(
    "sweeps nothing",
    () => ({ sweep: () => Effect.succeed(0) }),
    "what is past its retention",
    "a job that waited three days",
  ),
  breaking(
    "finds any of the words",
    (store) => ({
      search: (account, filter) => store.search(account, { ...filter, words: filter.words.slice(0, 1) }),
    }),
    "search finds transcripts that hold all words",
  ),
  breaking(
    "leaves the times of words out of candidates and does not say so",
    (store) => ({
      candidates: (account, ids) =>
        Effect.map(store.candidates(account, ids), (candidates) =>
          candidates.map(({ job, content }) => ({
            job,
            isWithoutTimes: false,
            content: { ...content, segments: content.segments.map((line) => ({ ...line, words: [] })) },
          })),
        ),
    }),
    "candidates say whether the times of their words are left out",
  ),
  breaking(
    "finds for a question by its first word alone",
    (store) => ({
      holding: (account, filter) =>
        store.holding(account, { ...filter, beginnings: filter.beginnings.slice(0, 1) }),
    }),
    "a question finds transcripts by how their words begin",
  ),
  breaking(
    "finds for a question in all that is there, whatever the batch",
    (store) => ({ holding: (account, { batch: _, ...filter }) => store.holding(account, filter) }),
    "a question finds transcripts by how their words begin",
  ),
  breaking(
    "begins a search anew each time",
    (store) => ({ search: (account, { from: _, ...filter }) => store.search(account, filter) }),
    "a search goes on where it is told",
  ),
  breaking(
    "hands results of one account to another",
    (store) => {
      const found = new Map<string, Effect.Effect.Success<ReturnType<Store["cached"]>>>()
      return {
        cached: (account, key) =>
          Effect.map(store.cached(account, key), (result) => {
            if (result !== null) found.set(key, result)
            return found.get(key) ?? null
          }),
      }
    },
    "a result is found again by its own account",
  ),
  breaking(
    "says for ever that there is a result that it has had once",
    (store) => {
      const found = new Set<string>()
      return {
        isCached: (account, key) =>
          Effect.map(store.isCached(account, key), (isThere) => {
            if (isThere) found.add(`${account} ${key}`)
            return found.has(`${account} ${key}`)
          }),
      }
    },
    "a result is found again by its own account",
  ),
  breaking(
    "forgets the usage of removed jobs",
    (store) => {
      let removed = 0
      return {
        remove: (account, id) => Effect.tap(store.remove(account, id), () => Effect.sync(() => removed++)),
        usage: (account, range) =>
          Effect.map(store.usage(account, range), (groups) =>
            groups.map((group) => ({ ...group, transcriptions: group.transcriptions - removed })),
          ),
      }
    },
    "usage counts done jobs",
  ),
])
