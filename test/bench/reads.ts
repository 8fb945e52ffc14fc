/** Reading, listing and searching among very many jobs on Postgres. `--million` makes a million of them, which takes minutes. */
import type { AccountId, JobId } from "@earmark/core/jobs"
import { type JobFilter, JobStore } from "@earmark/service"
import { Effect } from "effect"
import type { Client } from "pg"
import { latencies, newAccount, quantile, type Stores, startStores } from "./database/measure.js"
import { main, type Outcome } from "./harness.js"

const FEW = 1000
const MANY = process.argv.includes("--million") ? 1_000_000 : 50_000

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

const search = (bench: string, ours: number): Outcome => ({
  bench: `search for ${bench} p95 ms at ${MANY.toLocaleString("en")} jobs`,
  ours,
  rival: null,
  rivalName: null,
  ratio: null,
  bar: "< 50",
  pass: ours < 50,
})

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const { stores, client, stop } = await startStores()
  try {
    const reader = await newAccount(stores)
    await seed(client, reader, 1, FEW)
    const few = await reads(stores, reader, FEW)
    await seed(client, reader, FEW + 1, MANY)
    const many = await reads(stores, reader, MANY)
    return [
      within("get", many.get, few.get),
      within("list", many.list, few.list),
      within("list with a status", many.status, few.status),
      search("a rare word", many.rare),
      search("a word of every transcript", many.common),
    ]
  } finally {
    await stop()
  }
}

await main({ run })
