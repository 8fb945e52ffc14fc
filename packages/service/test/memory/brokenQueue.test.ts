import type { JobId } from "@earmark/core/jobs"
import { historyCases, jobQueueCases, jobStoreCases } from "@earmark/testkit/contracts"
import { Effect, Stream } from "effect"
import { JobQueue, type JobSource, type Lease } from "../../src/index.js"
import { type Break, breaksOf, breaksOfTables, keeping, neverRollsBack, suiteCatches } from "./breaking.js"

const breaking = breaksOf(JobQueue, jobQueueCases)
const breakingTables = breaksOfTables([...jobQueueCases, ...jobStoreCases, ...historyCases])

type Queue = JobQueue["Type"]

/** Takes any lease of a job for its newest one. */
const unfenced = (
  write: string,
  use: (queue: Queue, newest: (lease: Lease) => Lease) => Partial<Queue>,
): Break =>
  breaking(
    `lets an old lease ${write}`,
    (queue) => {
      const newest = new Map<JobId, Lease>()
      return {
        claim: (options) =>
          Effect.map(queue.claim(options), (claimed) => {
            for (const { lease } of claimed) newest.set(lease.job, lease)
            return claimed
          }),
        ...use(queue, (lease) => newest.get(lease.job) ?? lease),
      }
    },
    `an old lease cannot ${write}`,
  )

const lastSource = ({ job }: Lease): JobSource => ({
  shown: { kind: "media", url: `https://media.example.org/${job}.mp3` },
  mediaUrl: null,
  link: null,
  identity: null,
})

suiteCatches("JobQueue", [
  breaking(
    "hands an entry out twice under a race",
    (queue) => {
      let last: Effect.Effect.Success<ReturnType<Queue["claim"]>> = []
      return {
        claim: (options) =>
          Effect.map(queue.claim(options), (claimed) => {
            const again = claimed.length === 0 ? last : claimed
            last = claimed
            return again
          }),
      }
    },
    "an entry is held by one worker at a time",
    "with eight racing claimers",
  ),
  breaking(
    "takes more than is wanted",
    ({ claim }) => ({ claim: (options) => claim({ ...options, want: options.want + 1 }) }),
    "nothing wanted or nothing there",
    "a claim takes no more than is wanted",
  ),
  breaking(
    "knows no cap",
    ({ claim }) => ({ claim: (options) => claim({ ...options, cap: 1_000_000 }) }),
    "with eight racing claimers",
    "an ended job makes room under the cap",
  ),
  breakingTables(
    "forgets what an account runs already",
    ({ entries }) => ({
      entries: {
        ...entries,
        values: () => entries.filter(({ state }) => state !== "leased").values(),
      },
    }),
    "with eight racing claimers",
    "accounts take turns",
  ),
  breaking(
    "serves who came first, whoever that is",
    (queue) => ({
      claim: (options) =>
        Effect.gen(function* () {
          const all = yield* queue.claim({ ...options, want: 1_000_000 })
          const sorted = [...all].sort((left, right) => (left.job.account < right.job.account ? -1 : 1))
          for (const { lease } of sorted.slice(options.want)) yield* Effect.orDie(queue.release(lease))
          return sorted.slice(0, options.want)
        }),
    }),
    "accounts take turns",
  ),
  breakingTables(
    "forgets whose turn it was",
    ({ turns }) => ({ turns: { ...turns, set: () => {} } }),
    "accounts take turns also when one slot",
  ),
  breakingTables(
    "takes the newest job first",
    ({ entries }) => ({
      entries: keeping(entries, (row) => ({ ...row, sequence: -Math.abs(row.sequence) })),
    }),
    "the jobs of an account come oldest first",
    "waking takes the oldest first",
  ),
  breakingTables(
    "does not count attempts at the claim",
    ({ entries }) => ({
      entries: keeping(entries, (row, before) =>
        row.state === "leased" && before?.state === "ready" ? { ...row, attempt: before.attempt } : row,
      ),
    }),
    "a job that kills its worker each time",
  ),
  breaking(
    "says that an attempt begins at zero",
    ({ claim }) => ({
      claim: (options) =>
        Effect.map(claim(options), (claimed) =>
          claimed.map(({ lease, job }) => ({ job, lease: { ...lease, attempt: lease.attempt - 1 } })),
        ),
    }),
    "an attempt counts when it begins",
  ),
  breakingTables(
    "counts the attempt of a job that was given back",
    ({ entries }) => ({
      entries: keeping(entries, (row, before) =>
        before !== undefined && row.attempt < before.attempt ? { ...row, attempt: before.attempt } : row,
      ),
    }),
    "a released job is ready at once",
    "a parked job waits for credits",
  ),
  breaking(
    "tries for ever",
    (queue) => ({
      fail: (lease, failure) =>
        failure.retryInSeconds === null
          ? queue.fail(lease, failure)
          : Effect.as(queue.release(lease), "again"),
    }),
    "a job ends when its attempts are spent",
    "a failed attempt comes back after its delay",
  ),
  breaking(
    "tries again what cannot be helped",
    (queue) => ({ fail: (lease, failure) => queue.fail(lease, { ...failure, retryInSeconds: 1 }) }),
    "a failure that nothing helps against",
  ),
  breaking(
    "never reaps",
    () => ({ reapExpired: () => Effect.succeed(0) }),
    "a lease that ran out",
    "a job that kills its worker",
  ),
  breakingTables(
    "lets leases last for ever",
    ({ entries }) => ({ entries: keeping(entries, (row) => ({ ...row, leaseUntil: row.leaseUntil * 2 })) }),
    "a lease that ran out",
  ),
  unfenced("report", (queue, newest) => ({ report: (lease, seen) => queue.report(newest(lease), seen) })),
  unfenced("resume", (queue, newest) => ({ resume: (lease, plan) => queue.resume(newest(lease), plan) })),
  breaking(
    "mixes the spans of two plans",
    (queue) => {
      const plans = new Map<JobId, string>()
      return {
        // Every plan passes for the first one of its job.
        resume: (lease, plan) => {
          const first = plans.get(lease.job) ?? plan
          plans.set(lease.job, first)
          return queue.resume(lease, first)
        },
      }
    },
    "who goes on with a plan finds its spans, and who has another plan begins anew",
  ),
  unfenced("describe", (queue, newest) => ({
    describe: (lease, found) => queue.describe(newest(lease), found),
  })),
  breaking(
    "tells what a source turned out to be, and forgets it",
    (queue) => ({
      describe: (lease, found) => {
        const { source, title, durationSeconds } = found
        return Effect.map(queue.describe(lease, { ...found, source: lastSource(lease) }), (job) => ({
          ...job,
          source,
          title,
          durationSeconds,
        }))
      },
    }),
    "what a source turned out to be",
    "a title that somebody gave",
  ),
  unfenced("saveSpan", (queue, newest) => ({
    saveSpan: (lease, span) => queue.saveSpan(newest(lease), span),
  })),
  unfenced("raiseHold", (queue, newest) => ({
    raiseHold: (lease, facts) => queue.raiseHold(newest(lease), facts),
  })),
  unfenced("park", (queue, newest) => ({ park: (lease, facts) => queue.park(newest(lease), facts) })),
  unfenced("release", (queue, newest) => ({ release: (lease) => queue.release(newest(lease)) })),
  unfenced("bury", (queue, newest) => ({ bury: (lease, reason) => queue.bury(newest(lease), reason) })),
  unfenced("failForNow", (queue, newest) => ({
    fail: (lease, failure) => queue.fail(newest(lease), failure),
  })),
  unfenced("failForGood", (queue, newest) => ({
    fail: (lease, failure) => queue.fail(newest(lease), failure),
  })),
  unfenced("complete", (queue, newest) => ({
    complete: (lease, finished, options) => queue.complete(newest(lease), finished, options),
  })),
  unfenced("extend", (queue, newest) => ({
    extend: (leases, seconds) => queue.extend(leases.map(newest), seconds),
  })),
  breaking(
    "says that nothing is lost",
    ({ extend }) => ({ extend: (leases, seconds) => Effect.as(extend(leases, seconds), []) }),
    "extending prolongs what is held",
  ),
  breaking(
    "does not prolong",
    ({ extend }) => ({ extend: (leases) => extend(leases, 1) }),
    "extending prolongs what is held",
  ),
  breaking("never tells that there is work", () => ({ wakeUps: Stream.never }), "a wake-up comes soon"),
  breakingTables(
    "lets progress go back",
    ({ jobs }) => ({
      jobs: keeping(jobs, (job) =>
        job.state.status === "queued" && job.state.phase === "diarizing"
          ? { ...job, state: { ...job.state, progress: 0.1 } }
          : job,
      ),
    }),
    "progress never goes back",
  ),
  breakingTables(
    "shows changes under an old version",
    ({ jobs }) => ({ jobs: keeping(jobs, (job) => ({ ...job, version: 1 })) }),
    "progress never goes back",
    "title, metadata and names of speakers",
  ),
  breakingTables(
    "writes a span again",
    ({ spans }) => ({
      spans: {
        ...spans,
        get: () => [],
      },
    }),
    "a span is written once",
  ),
  breakingTables(
    "keeps the spans of a run that is over",
    ({ spans }) => ({ spans: { ...spans, delete: () => {} } }),
    "a span is written once",
    "the next run of a job does not find the spans",
  ),
  breaking(
    "settles another amount than it is told",
    (queue) => ({
      complete: (lease, finished, options) =>
        queue.complete(lease, { ...finished, credits: Math.min(finished.credits, 3) }, options),
    }),
    "completing writes state, content, settlement",
  ),
  breakingTables(
    "writes settlements twice",
    ({ postings, newId }) => ({
      postings: {
        ...postings,
        set: (key, row) => {
          postings.set(key, row)
          if (row.kind === "settlement") postings.set(newId("entry"), row)
        },
      },
    }),
    "completing writes state, content, settlement",
    "of racing ends of one job one counts",
    "ends at the same moment",
    "whatever happens, in whatever order",
  ),
  {
    what: "keeps what it wrote before the end failed",
    layer: neverRollsBack,
    cases: jobQueueCases,
    caughtBy: ["an end that cannot be written in full"],
  },
  breaking(
    "raises a hold as far as it goes",
    (queue) => ({
      raiseHold: (lease, facts) =>
        Effect.catchTag(queue.raiseHold(lease, facts), "OutOfCredits", ({ available }) =>
          queue.raiseHold(lease, { ...facts, credits: available + 1 }),
        ),
    }),
    "the hold is raised to the price, or nothing changes",
  ),
  breaking(
    "wakes jobs that it cannot pay for",
    (queue) => ({ wakeAccount: (account) => Effect.map(queue.wakeAccount(account), (woken) => woken + 1) }),
    "a parked job waits for credits",
    "waking takes the oldest first",
  ),
  breaking(
    "wakes nobody",
    () => ({ wakeAccount: () => Effect.succeed(0) }),
    "a parked job waits for credits",
    "waking takes the oldest first",
  ),
  breaking(
    "leaves jobs waiting for credits where nothing is billed",
    () => ({ wakeAll: () => Effect.succeed(0) }),
    "a job that waits for credits goes on without them",
  ),
  breaking(
    "parks a job by giving it back",
    (queue) => ({ park: (lease) => queue.release(lease) }),
    "a parked job waits for credits",
  ),
  breaking(
    "hands out what was set aside",
    (queue) => ({ bury: (lease) => queue.release(lease) }),
    "an entry that was set aside",
  ),
])
