/**
 * What the store promises, in one table. `--million` compares a million jobs with a thousand, which takes minutes; 50,000 otherwise.
 * `npm run build -w packages/cli` comes first.
 */
import { fileURLToPath } from "node:url"
import type { AccountId, BatchId, JobId } from "@earmark/core/jobs"
import { JobStore } from "@earmark/service"
import { type Client, Pool } from "pg"
import { claimTime } from "./database/claims.js"
import { hotCompletes } from "./database/hotAccount.js"
import { fewAndMany, MANY } from "./database/manyJobs.js"
import {
  batchOf,
  beside,
  latencies,
  median,
  newAccount,
  newJob,
  type Pace,
  type Stores,
  startStores,
} from "./database/measure.js"
import { absolute, isSmoke, main, type Outcome, sized } from "./harness.js"
import { load } from "./http/load.js"
import { requests } from "./http/requests.js"
import { serveRival } from "./http/rival.js"

const CALLS = sized(1500, 20)
const ACCOUNTS = sized(100, 3)
const BATCHES = sized(7, 1)

const CREATE = "SELECT outcome FROM create_job(NULL, NULL, NULL, NULL, NULL, $1, 3, $2)"
const GET = "SELECT * FROM job WHERE id = $1 AND account_id = $2"

const createByHand = (pool: Pool, account: AccountId) => {
  const { source, options, metadata, ...job } = newJob(account)
  const row = {
    id: job.id,
    account_id: account,
    status: "queued",
    phase: "waiting",
    progress: 0,
    run: 0,
    expired: false,
    title: job.title,
    source: { shown: source.shown, media_url: source.mediaUrl, link: source.link, identity: source.identity },
    options,
    metadata,
    enrichment: {},
    warnings: [],
    speaker_names: {},
    attempts: 0,
    version: 1,
    created_at: new Date().toISOString(),
    is_test: false,
  }
  return pool.query({ name: "create", text: CREATE, values: [10, JSON.stringify(row)] })
}

const paces = (bench: string, ours: Pace, theirs: Pace, least: number): ReadonlyArray<Outcome> => {
  const [speed, cost] = [ours.perSecond / theirs.perSecond, ours.processor / theirs.processor]
  const rivalName = "hand-written pg"
  return [
    {
      bench: `${bench}, calls per second`,
      ours: ours.perSecond,
      rival: theirs.perSecond,
      rivalName,
      ratio: speed,
      bar: `>= ${least}x`,
      pass: speed >= least,
    },
    {
      bench: `${bench}, processor ms per call of this process`,
      ours: ours.processor,
      rival: theirs.processor,
      rivalName,
      ratio: cost,
      bar: "<= 2.5x",
      pass: cost <= 2.5,
    },
  ]
}

/** The rows of a batch under other ids, to be written once more by the barest SQL there is. */
const COPY = `CREATE TEMP TABLE bare_job ON COMMIT DROP AS SELECT * FROM job WHERE batch_id = $1`
const RENAME = `CREATE TEMP TABLE bare_hold ON COMMIT DROP AS SELECT * FROM credit_hold WHERE job_id IN (SELECT id FROM bare_job);
CREATE TEMP TABLE bare_entry ON COMMIT DROP AS
  SELECT id, account_id, prio, run_at, state, needed FROM queue WHERE id IN (SELECT id FROM bare_job);
UPDATE bare_job SET id = 'x' || id, batch_id = 'x' || batch_id;
UPDATE bare_hold SET job_id = 'x' || job_id;
UPDATE bare_entry SET id = 'x' || id`
const WRITE = `INSERT INTO job SELECT * FROM bare_job;
INSERT INTO credit_hold SELECT * FROM bare_hold;
INSERT INTO queue (id, account_id, prio, run_at, state, needed) SELECT * FROM bare_entry;
COMMIT`

/** Milliseconds of writing the rows of that batch again, from tables in the memory of the server. */
const writeBare = async (client: Client, batch: BatchId) => {
  await client.query("BEGIN")
  await client.query(COPY, [batch])
  await client.query(RENAME)
  const [time = 0] = await latencies(1, () => client.query(WRITE))
  return time
}

const batches = async (stores: Stores, client: Client, account: AccountId): Promise<Outcome> => {
  const jobs = await stores.runPromise(JobStore)
  const times = { ours: [] as Array<number>, bare: [] as Array<number> }
  for (let round = 0; round < BATCHES; round++) {
    const batch = batchOf(account)
    times.ours.push(...(await latencies(1, () => stores.runPromise(jobs.createBatch(batch)))))
    times.bare.push(await writeBare(client, batch.id))
  }
  const [ours, bare] = [median(times.ours), median(times.bare)]
  return {
    bench: "a feed of 5,000 jobs with holds, median ms",
    ours,
    rival: bare,
    rivalName: "INSERT ... SELECT of the same rows",
    ratio: ours / bare,
    bar: "< 150",
    pass: ours < 150,
  }
}

const claims = async (stores: Stores, client: Client): Promise<Outcome> => {
  const ours = await claimTime(stores, client, 200)
  return absolute("claim of 10 with 201 accounts, p50 ms", ours, "< 5", ours < 5)
}

const MOST_WITH_MANY = 1.3

const among = async (): Promise<ReadonlyArray<Outcome>> => {
  const { compare, compareClaims, stop } = await fewAndMany({ searchable: false })
  const within = (bench: string, { few, many }: { readonly few: number; readonly many: number }) => ({
    bench: `${bench} at ${MANY.toLocaleString("en")} jobs, p50 ms`,
    ours: many,
    rival: few,
    rivalName: "the same at 1,000",
    ratio: many / few,
    bar: `<= ${MOST_WITH_MANY}x`,
    pass: many <= few * MOST_WITH_MANY,
  })
  try {
    return [
      within("get", await compare("get", 0.5)),
      within("list", await compare("list", 0.5)),
      within("claim of 10", await compareClaims(0.5)),
    ]
  } finally {
    await stop()
  }
}

const byHand = async (): Promise<ReadonlyArray<Outcome>> => {
  const { url, stores, client, stop } = await startStores()
  const pool = new Pool({ connectionString: url, max: 10 })
  try {
    const account = await newAccount(stores)
    const jobs = await stores.runPromise(JobStore)
    const known: Array<JobId> = []
    const create = (owner: AccountId) => {
      const job = newJob(owner)
      if (owner === account) known.push(job.id)
      return stores.runPromise(jobs.create(job, { guard: null, maxWaiting: null }))
    }
    const created = await beside(CALLS, {
      ours: () => create(account),
      theirs: () => createByHand(pool, account),
    })
    const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => newAccount(stores)))
    const anyone = () => accounts[Math.floor(Math.random() * ACCOUNTS)] ?? account
    const spread = await beside(CALLS, {
      ours: () => create(anyone()),
      theirs: () => createByHand(pool, anyone()),
    })
    const one = () => known[Math.floor(Math.random() * known.length)] as JobId
    const got = await beside(2 * CALLS, {
      ours: () => stores.runPromise(jobs.get(account, one())),
      theirs: () => pool.query({ name: "get", text: GET, values: [one(), account] }),
    })
    return [
      ...paces("create, one account", created.ours, created.theirs, 0.4),
      ...paces(`create, ${ACCOUNTS} accounts`, spread.ours, spread.theirs, 0.4),
      ...paces("get", got.ours, got.theirs, 0.5),
      ...(await hotCompletes(stores, client)),
      // The ledger knows nothing of the rows of its rival.
      await batches(stores, client, account),
      // Last: it empties the queue.
      await claims(stores, client),
    ]
  } finally {
    await pool.end()
    await stop()
  }
}

await main({
  tasks: { load, rival: (databaseUrl = "", port = "0") => serveRival(databaseUrl, port) },
  run: async () => [
    // A small run of them is one of the bench of HTTP.
    ...(isSmoke ? [] : await requests(fileURLToPath(import.meta.url))),
    ...(await byHand()),
    ...(await among()),
  ],
})
