import { jobOutboxCases } from "@earmark/testkit/contracts"
import { Effect } from "effect"
import { JobOutbox } from "../../src/index.js"
import { breaksOf, breaksOfTables, keeping, suiteCatches } from "./breaking.js"

const breaking = breaksOf(JobOutbox, jobOutboxCases)
const breakingTables = breaksOfTables(jobOutboxCases)

type Outbox = JobOutbox["Type"]

/** Remembers what each acceptance answered. */
const accepting = (outbox: Outbox): Partial<Outbox> => {
  const known = new Map<string, Effect.Effect.Success<ReturnType<Outbox["accept"]>>[number]>()
  return {
    accept: (dispatched, options) =>
      Effect.map(outbox.accept(dispatched, options), (claimed) => {
        for (const each of claimed) known.set(each.lease.job, each)
        return dispatched.flatMap(({ job }) => known.get(job) ?? [])
      }),
  }
}

suiteCatches("JobOutbox", [
  breaking(
    "accepts an entry again",
    accepting,
    "an entry that was dispatched is accepted once",
    "of racing acceptances of one entry",
  ),
  breaking(
    "dispatches over the cap",
    ({ dispatch }) => ({ dispatch: (options) => dispatch({ ...options, cap: 1_000_000 }) }),
    "what is dispatched is chosen in turns",
  ),
  breaking(
    "dispatches more than is wanted",
    ({ dispatch }) => ({ dispatch: (options) => dispatch({ ...options, want: options.want + 1 }) }),
    "what is dispatched is chosen in turns",
  ),
  breaking(
    "accepts in another order",
    ({ accept }) => ({ accept: (dispatched, options) => accept(dispatched.toReversed(), options) }),
    "an entry that was dispatched is accepted once",
  ),
  breaking(
    "gives nothing back",
    () => ({ giveBack: () => Effect.void }),
    "what is given back is ready at once",
  ),
  breaking(
    "keeps what it dispatched for too long",
    ({ dispatch }) => ({ dispatch: (options) => dispatch({ ...options, seconds: options.seconds * 2 }) }),
    "what nobody accepts in time is ready again",
  ),
  breakingTables(
    "counts the attempt on the way",
    ({ jobs }) => ({
      jobs: keeping(jobs, (job, before) =>
        before !== undefined && job.attempts < before.attempts ? { ...job, attempts: before.attempts } : job,
      ),
    }),
    "an entry that was dispatched is accepted once",
    "what nobody accepts in time is ready again",
  ),
  breakingTables(
    "lets what is on its way be worked on",
    ({ entries }) => ({
      entries: keeping(entries, (row) => (row.state === "dispatched" ? { ...row, state: "leased" } : row)),
    }),
    "a token of the way is no lease",
  ),
  breakingTables(
    "takes back what was accepted",
    ({ entries }) => ({
      entries: {
        ...entries,
        filter: (fits) =>
          entries.filter(
            (row) => fits(row) || (row.state === "leased" && fits({ ...row, state: "dispatched" })),
          ),
        set: (key, row) => {
          const before = entries.get(key)
          const keepsToken = before?.state === "dispatched" && row.state === "leased"
          entries.set(key, keepsToken ? { ...row, token: before.token } : row)
        },
      },
    }),
    "what is given back is ready at once; what was accepted stays",
  ),
])
