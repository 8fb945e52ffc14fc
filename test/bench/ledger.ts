/** Holding and settling the credits of one account by many at once on Postgres, beside the same by the barest SQL. */
import type { AccountId, JobId } from "@earmark/core/jobs"
import { type Finished, JobQueue, JobStore, Ledger } from "@earmark/service"
import { Effect } from "effect"
import { type Client, Pool } from "pg"
import {
  batchOf,
  beside,
  IN_BATCH,
  latencies,
  median,
  newAccount,
  newId,
  newJob,
  startStores,
} from "./database/measure.js"
import { absolute, main, type Outcome, sized } from "./harness.js"

const CLIENTS = sized(32, 4)
const CALLS = sized(400, 8)
const ROUNDS = sized(5, 1)

const finished: Finished = {
  content: { language: "en", segments: [], text: "", summary: null, chapters: null, translation: null },
  origin: "engine",
  engine: "scripted",
  wordTiming: null,
  detectedLanguage: null,
  durationSeconds: 600,
  wordCount: 0,
  credits: 10,
  billedMinutes: 10,
  minutes: 10,
  enrichment: {},
  integrity: null,
  warnings: [],
}

const HOLD = `WITH held AS (
  UPDATE credit_balance SET held = held + 10 WHERE account_id = $1 AND posted - held - 10 >= floor
) INSERT INTO credit_hold (job_id, account_id, run, amount, state) VALUES ($2, $1, 0, 10, 'open')`
const SETTLE = `WITH paid AS (
  UPDATE credit_balance SET held = held - 10, posted = posted - 10 WHERE account_id = $1
), hold AS (
  UPDATE credit_hold SET state = 'settled', settled = 10 WHERE job_id = $2 AND state = 'open'
) INSERT INTO credit_entry (id, tx, account, amount, kind, job_id, created_at)
  VALUES ($2 || 'a', 'settle:' || $2, 'customer:' || $1, -10, 'settlement', $2, now()),
    ($2 || 'b', 'settle:' || $2, 'revenue', 10, 'settlement', $2, now())`

/** Only what the ledger needs: no job, no queue, no event. Two commits, as a hold and its settlement are far apart. */
const byHand = async (pool: Pool, account: AccountId) => {
  const id = newId("job")
  await pool.query({ name: "hold", text: HOLD, values: [account, id] })
  await pool.query({ name: "settle", text: SETTLE, values: [account, id] })
}

const BARE_BATCH = `WITH held AS (
  UPDATE credit_balance SET held = held + 10 * ${IN_BATCH} WHERE account_id = $1
) INSERT INTO credit_hold (job_id, account_id, run, amount, state)
  SELECT $2 || n, $1, 0, 10, 'open' FROM generate_series(1, ${IN_BATCH}) n`

const lease = (pool: Pool, job: JobId) =>
  pool.query({
    name: "lease",
    text: `UPDATE queue SET state = 1, lease_token = 'bench', lease_until = now() + interval '1 hour' WHERE id = $1`,
    values: [job],
  })

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const { url, stores, client, stop } = await startStores()
  const pool = new Pool({ connectionString: url, max: 10 })
  const leases = new Pool({ connectionString: url, max: 4, options: "-c synchronous_commit=off" })
  try {
    const account = await newAccount(stores)
    const jobs = await stores.runPromise(JobStore)
    const queue = await stores.runPromise(JobQueue)
    // Claims are measured by the bench of the queue; here a job is leased by hand, without waiting for the disk.
    const holdAndSettle = async () => {
      const job = newJob(account)
      await stores.runPromise(jobs.create(job, { guard: null, maxWaiting: null }))
      await lease(leases, job.id)
      await stores.runPromise(
        queue.complete({ job: job.id, token: "bench", attempt: 1 }, finished, {
          cacheKeys: [],
          shared: false,
        }),
      )
    }
    const pace = await beside(CALLS, { ours: holdAndSettle, theirs: () => byHand(pool, account) }, CLIENTS)

    const times = await batchTimes(client, account, (batch) => stores.runPromise(jobs.createBatch(batch)))
    const wrong = await stores.runPromise(Effect.flatMap(Ledger, (ledger) => ledger.verify))
    return [
      {
        bench: `create, hold, settle and end: jobs per second of one account, ${CLIENTS} clients`,
        ours: pace.ours.perSecond,
        rival: pace.theirs.perSecond,
        rivalName: "bare SQL of hold and settlement alone",
        ratio: pace.ours.perSecond / pace.theirs.perSecond,
        bar: "none: the whole life of a job beside its two entries",
        pass: true,
      },
      {
        bench: `${IN_BATCH.toLocaleString("en")} holds with their jobs and entries at once, ms`,
        ours: times.ours,
        rival: times.bare,
        rivalName: "bare SQL of the holds alone",
        ratio: times.ours / times.bare,
        bar: "none: whole jobs beside their holds",
        pass: true,
      },
      absolute("sums of the ledger that do not agree afterwards", wrong.length, "0", wrong.length === 0),
    ]
  } finally {
    await leases.end()
    await pool.end()
    await stop()
  }
}

const batchTimes = async (
  client: Client,
  account: AccountId,
  create: (batch: ReturnType<typeof batchOf>) => Promise<unknown>,
) => {
  const times = { ours: [] as Array<number>, bare: [] as Array<number> }
  for (let round = 0; round < ROUNDS; round++) {
    const batch = batchOf(account)
    times.ours.push(...(await latencies(1, () => create(batch))))
    times.bare.push(...(await latencies(1, () => client.query(BARE_BATCH, [account, batch.id]))))
  }
  return { ours: median(times.ours), bare: median(times.bare) }
}

await main({ run })
