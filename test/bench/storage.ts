/** Creating, reading, listing and searching jobs on Postgres, beside the same SQL by hand. */
import { type AccountId, BatchId, type JobId } from "@earmark/core/jobs"
import { type JobFilter, JobStore } from "@earmark/service"
import { Effect } from "effect"
import { type Client, Pool } from "pg"
import {
  latencies,
  median,
  newAccount,
  newId,
  newJob,
  quantile,
  rate,
  type Stores,
  startStores,
} from "./database/measure.js"
import { main, type Outcome } from "./harness.js"

const ROUNDS = 3
const CALLS = 1500
const WIDTH = 50
/** The large store: a million by default. */
const MANY = Number(process.env.EARMARK_BENCH_JOBS ?? 1_000_000)

const CREATE = "SELECT outcome FROM create_job(NULL, NULL, NULL, NULL, NULL, $1, 3, $2)"

const handWritten = (pool: Pool, account: string) => {
  const { source, options, metadata, ...job } = newJob(account as AccountId)
  const now = new Date().toISOString()
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
    created_at: now,
  }
  return pool.query({ name: "create", text: CREATE, values: [10, JSON.stringify(row)] })
}

/** Both in turn, so that a slow spell of the machine hits both. */
const beside = async (ours: () => Promise<unknown>, theirs: () => Promise<unknown>) => {
  const rates = { ours: [] as Array<number>, theirs: [] as Array<number> }
  for (let round = 0; round <= ROUNDS; round++) {
    const mine = await rate(CALLS, WIDTH, ours)
    const other = await rate(CALLS, WIDTH, theirs)
    // The first round warms up.
    if (round > 0) {
      rates.ours.push(mine)
      rates.theirs.push(other)
    }
  }
  return { ours: median(rates.ours), theirs: median(rates.theirs) }
}

const speed = (
  bench: string,
  { ours, theirs }: { ours: number; theirs: number },
  least: number,
): Outcome => ({
  bench: `${bench}, calls per second`,
  ours,
  rival: theirs,
  rivalName: "hand-written pg",
  ratio: ours / theirs,
  bar: `>= ${least}x`,
  pass: ours / theirs >= least,
})

const atMost = (bench: string, ours: number, most: number): Outcome => ({
  bench,
  ours,
  rival: null,
  rivalName: null,
  ratio: null,
  bar: `< ${most}`,
  pass: ours < most,
})

const batchOf = (account: AccountId) => ({
  id: BatchId.make(newId("batch")),
  account,
  feedUrl: "https://feed.example.org/rss",
  title: null,
  createdAt: Date.now(),
  jobs: Array.from({ length: 5000 }, () => newJob(account)),
  guard: null,
})

/** Done jobs with short transcripts: half of them in one account, as in the worst of deployments. */
const SEED = `INSERT INTO job (id, account_id, status, progress, run, completed_at, title, title_folded, source, options,
  enrichment, warnings, speaker_names, created_at)
SELECT 'tr_seed' || g, CASE WHEN g % 2 = 0 THEN $1 ELSE 'acct_other' || (g % 1000) END, 'done', 1, 0, t, 'Talk ' || g,
  'talk ' || g, '{"shown": {"kind": "media"}}', '{}', '{}', '[]', '{}', t
FROM (SELECT g, timestamptz '2026-01-01' + g * interval '1 second' AS t FROM generate_series($2::int, $3::int) g) rows`
const SEED_CONTENT = `INSERT INTO transcript (job_id, account_id, text, segments)
SELECT id, account_id, 'word', '[]' FROM job WHERE id LIKE 'tr_seed%' ON CONFLICT DO NOTHING`
const SEED_SEARCH = `INSERT INTO transcript_search (job_id, account_id, created_at, words)
SELECT j.id, j.account_id, j.created_at, array_to_tsvector(array(
  SELECT right(j.account_id, 16) || ':w' || ((substr(j.id, 8)::bigint * (n + 7) * 7919) % 20000) FROM generate_series(1, 20) n
) || (right(j.account_id, 16) || ':common'))
FROM job j WHERE j.id LIKE 'tr_seed%' ON CONFLICT DO NOTHING`

const seed = async (client: Client, account: string, from: number, to: number) => {
  await client.query("SET statement_timeout = 0; SET synchronous_commit = off; SET work_mem = '256MB'")
  await client.query(SEED, [account, from, to])
  await client.query(SEED_CONTENT)
  await client.query(SEED_SEARCH)
  await client.query("VACUUM ANALYZE job, transcript, transcript_search")
}

interface Reads {
  readonly get: number
  readonly list: number
  readonly status: number
  readonly rare: number
  readonly common: number
}

const p95 = async (task: () => Promise<unknown>) => {
  await latencies(50, task)
  return quantile(await latencies(200, task), 0.95)
}

const reads = async (stores: Stores, account: AccountId, count: number): Promise<Reads> => {
  const use = <A, E>(body: (jobs: JobStore["Type"]) => Effect.Effect<A, E>) =>
    stores.runPromise(Effect.flatMap(JobStore, body))
  const any = () => 2 * Math.floor((Math.random() * count) / 2)
  const page: JobFilter = { order: "desc", limit: 20, after: null }
  // Anywhere in the list, as readers who page through it are.
  const somewhere = () => ({ createdAt: Date.UTC(2026, 0, 1) + any() * 1000, id: "tr_seed" })
  const search = (word: string) => use((jobs) => jobs.search(account, { words: [word], limit: 20 }))
  return {
    get: await p95(() => use((jobs) => Effect.either(jobs.get(account, `tr_seed${any()}` as JobId)))),
    list: await p95(() => use((jobs) => jobs.list(account, { ...page, after: somewhere() }))),
    status: await p95(() =>
      use((jobs) => jobs.list(account, { ...page, after: somewhere(), status: "done" })),
    ),
    rare: await p95(() => search(`w${Math.floor(Math.random() * 20000)}`)),
    common: await p95(() => search("comm")),
  }
}

const within = (bench: string, many: number, few: number): Outcome => ({
  bench: `${bench} p95 ms at ${MANY.toLocaleString("en")} jobs`,
  ours: many,
  rival: few,
  rivalName: "the same at 1,000",
  ratio: many / few,
  bar: "<= 1.5x",
  pass: many <= few * 1.5,
})

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const { url, stores, client, stop } = await startStores()
  const pool = new Pool({ connectionString: url, max: 10 })
  try {
    const account = await newAccount(stores)
    const jobs = await stores.runPromise(JobStore)
    const known: Array<JobId> = []
    const create = () => {
      const job = newJob(account)
      known.push(job.id)
      return stores.runPromise(jobs.create(job, { guard: null, maxWaiting: null }))
    }
    const created = await beside(create, () => handWritten(pool, account))
    const one = () => known[Math.floor(Math.random() * known.length)] as JobId
    const got = await beside(
      () => stores.runPromise(jobs.get(account, one())),
      () =>
        pool.query({
          name: "get",
          text: "SELECT * FROM job WHERE id = $1 AND account_id = $2",
          values: [one(), account],
        }),
    )
    const batches = await latencies(7, () => stores.runPromise(jobs.createBatch(batchOf(account))))
    const outcomes = [
      speed("create", created, 0.4),
      speed("get", got, 0.5),
      atMost("a feed of 5,000 jobs with holds, median ms", quantile(batches, 0.5), 150),
    ]
    if (MANY === 0) return outcomes
    const reader = await newAccount(stores)
    await seed(client, reader, 1, 1000)
    const few = await reads(stores, reader, 1000)
    await seed(client, reader, 1001, MANY)
    const many = await reads(stores, reader, MANY)
    return [
      ...outcomes,
      within("get", many.get, few.get),
      within("list", many.list, few.list),
      within("list with a status", many.status, few.status),
      atMost(`search for a rare word p95 ms at ${MANY} jobs`, many.rare, 50),
      atMost(`search for a word of every transcript p95 ms at ${MANY} jobs`, many.common, 50),
    ]
  } finally {
    await pool.end()
    await stop()
  }
}

await main({ run })
