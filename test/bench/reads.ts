/** Reading, listing and searching among very many jobs on Postgres. `--million` makes a million of them, which takes minutes. */
import { type AccountId, JobId } from "@earmark/core/jobs"
import { type JobFilter, JobStore } from "@earmark/service"
import type { Client } from "pg"
import { latencies, newAccount, quantile, type Stores, startStores } from "./database/measure.js"
import { main, type Outcome, sized } from "./harness.js"

const FEW = sized(1000, 50)
const MANY = process.argv.includes("--million") ? 1_000_000 : sized(50_000, 100)

/** Done jobs with short transcripts: half of them in one account, as in the worst of deployments. */
const SEED = `INSERT INTO job (id, account_id, status, progress, run, completed_at, title, title_folded, source, options,
  enrichment, warnings, speaker_names, created_at)
SELECT 'tr_' || lpad(g::text, 26, '0'), CASE WHEN g % 2 = 0 THEN $1 ELSE 'acct_other' || (g % 1000) END, 'done', 1, 0, t, 'Talk ' || g,
  'talk ' || g, '{"shown": {"kind": "media"}}', '{}', '{}', '[]', '{}', t
FROM (SELECT g, timestamptz '2026-01-01' + g * interval '1 second' AS t FROM generate_series($2::int, $3::int) g) rows`
const SEED_CONTENT = `INSERT INTO transcript (job_id, account_id, text, segments)
SELECT id, account_id, 'word', '[]' FROM job ON CONFLICT DO NOTHING`
const SEED_SEARCH = `INSERT INTO transcript_search (job_id, account_id, created_at, words)
SELECT j.id, j.account_id, j.created_at, array_to_tsvector(array(
  SELECT right(j.account_id, 16) || ':w' || ((substr(j.id, 4)::bigint * (n + 7) * 7919) % 20000) FROM generate_series(1, 20) n
) || (right(j.account_id, 16) || ':common'))
FROM job j ON CONFLICT DO NOTHING`

const seed = async (client: Client, account: string, from: number, to: number) => {
  await client.query("SET statement_timeout = 0; SET synchronous_commit = off; SET work_mem = '256MB'")
  await client.query(SEED, [account, from, to])
  await client.query(SEED_CONTENT)
  await client.query(SEED_SEARCH)
  await client.query("VACUUM ANALYZE job, transcript, transcript_search")
}

type Read = () => Promise<unknown>

/** What is measured, in a store whose reader has every second of so many jobs. */
const readsOf = async (stores: Stores, account: AccountId, count: number) => {
  const jobs = await stores.runPromise(JobStore)
  const any = () => 2 + 2 * Math.floor((Math.random() * (count - 2)) / 2)
  const page: JobFilter = { order: "desc", limit: 20, after: null }
  // Anywhere in the list, as readers who page through it are.
  const somewhere = () => ({ createdAt: Date.UTC(2026, 0, 1) + any() * 1000, id: "tr_" })
  const list = (filter: Partial<JobFilter>) =>
    stores.runPromise(jobs.list(account, { ...page, after: somewhere(), ...filter }))
  const search = (word: string) => stores.runPromise(jobs.search(account, { words: [word], limit: 20 }))
  return {
    get: () => stores.runPromise(jobs.get(account, JobId.make(`tr_${String(any()).padStart(26, "0")}`))),
    list: () => list({}),
    status: () => list({ status: "done" }),
    rare: () => search(`w${Math.floor(Math.random() * 20000)}`),
    common: () => search("comm"),
  }
}

const CALLS = sized(300, 5)
const WARM_UP = sized(50, 1)

/** Few and many in turn, call by call: whatever else the machine does meets both. */
const p95 = async (few: Read, many: Read) => {
  const times = { few: [] as Array<number>, many: [] as Array<number> }
  for (let call = 0; call < WARM_UP + CALLS; call++) {
    const [short = 0] = await latencies(1, few)
    const [long = 0] = await latencies(1, many)
    if (call < WARM_UP) continue
    times.few.push(short)
    times.many.push(long)
  }
  const ofAll = (all: Array<number>) =>
    quantile(
      all.sort((left, right) => left - right),
      0.95,
    )
  return { few: ofAll(times.few), many: ofAll(times.many) }
}

const within = (bench: string, { few, many }: { few: number; many: number }): Outcome => ({
  bench: `${bench} p95 ms at ${MANY.toLocaleString("en")} jobs`,
  ours: many,
  rival: few,
  rivalName: "the same at 1,000",
  ratio: many / few,
  bar: "<= 1.5x",
  pass: many <= few * 1.5,
})

const search = (word: string, times: { few: number; many: number }): ReadonlyArray<Outcome> => [
  within(`search for ${word}`, times),
  {
    bench: `search for ${word} p95 ms at ${MANY.toLocaleString("en")} jobs`,
    ours: times.many,
    rival: null,
    rivalName: null,
    ratio: null,
    bar: "< 50",
    pass: times.many < 50,
  },
]

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const { more, stop, ...large } = await startStores()
  try {
    const small = await more()
    const [reader, other] = [await newAccount(large.stores), await newAccount(small.stores)]
    await seed(small.client, other, 1, FEW)
    await seed(large.client, reader, 1, MANY)
    const few = await readsOf(small.stores, other, FEW)
    const many = await readsOf(large.stores, reader, MANY)
    return [
      within("get", await p95(few.get, many.get)),
      within("list", await p95(few.list, many.list)),
      within("list with a status", await p95(few.status, many.status)),
      ...search("a rare word", await p95(few.rare, many.rare)),
      ...search("a word of every transcript", await p95(few.common, many.common)),
    ]
  } finally {
    await stop()
  }
}

await main({ run })
