import type { JobId } from "@earmark/core/jobs"
import { historyCases } from "@earmark/testkit/contracts"
import { Effect } from "effect"
import { JobQueue, type Lease, Ledger } from "../../src/index.js"
import { breaksOf, breaksOfTables, keeping, neverRollsBack, suiteCatches } from "./breaking.js"

const whateverHappens = "whatever happens, in whatever order"
const queue = breaksOf(JobQueue, historyCases)
const ledger = breaksOf(Ledger, historyCases)
const tables = breaksOfTables(historyCases)

suiteCatches("histories", [
  queue(
    "knows no cap",
    ({ claim }) => ({ claim: (options) => claim({ ...options, cap: 1000 }) }),
    whateverHappens,
  ),
  queue(
    "takes old leases for new ones",
    (whole) => {
      const newest = new Map<JobId, Lease>()
      return {
        claim: (options) =>
          Effect.map(whole.claim(options), (claimed) => {
            for (const { lease } of claimed) newest.set(lease.job, lease)
            return claimed
          }),
        release: (lease) => whole.release(newest.get(lease.job) ?? lease),
      }
    },
    whateverHappens,
  ),
  queue("never takes expired leases back", () => ({ reapExpired: () => Effect.succeed(0) }), whateverHappens),
  queue(
    "tries for ever",
    (whole) => ({ fail: (lease) => Effect.as(whole.release(lease), "again") }),
    whateverHappens,
  ),
  ledger(
    "credits a payment as often as it is told of it",
    ({ topUp }) => {
      let told = 0
      return {
        topUp: (account, payment) => topUp(account, { ...payment, payment: `${payment.payment} ${++told}` }),
      }
    },
    whateverHappens,
  ),
  tables(
    "has no floor",
    ({ balances }) => ({
      balances: {
        ...balances,
        get: (key) => {
          const row = balances.get(key)
          return row === undefined ? row : { ...row, floor: -1000 }
        },
      },
    }),
    whateverHappens,
  ),
  tables(
    "settles nothing",
    ({ postings, balances }) => ({
      postings: { ...postings, set: (key, row) => row.kind === "settlement" || postings.set(key, row) },
      balances: keeping(balances, (row, before) => ({
        ...row,
        posted: Math.max(row.posted, before?.posted ?? 0),
      })),
    }),
    whateverHappens,
  ),
  tables(
    "changes what has ended",
    ({ jobs: all }) => ({
      jobs: {
        ...all,
        get: (key) => {
          const job = all.get(key)
          return job?.state.status === "done" ? { ...job, billedMinutes: (job.billedMinutes ?? 0) + 1 } : job
        },
      },
    }),
    whateverHappens,
  ),
  { what: "keeps what it refused", layer: neverRollsBack, cases: historyCases, caughtBy: [whateverHappens] },
])
