/** The same calls on a database of few jobs and on one of very many. `--million` makes a million of them, which takes minutes. */
import { type AccountId, JobId } from "@earmark/core/jobs"
import { wantedWords } from "@earmark/core/text"
import { type JobFilter, JobStore } from "@earmark/service"
import type { Client } from "pg"
import { sized } from "../harness.js"
import { claim } from "./claims.js"
import { latencies, newAccount, quantile, type Stores, startStores } from "./measure.js"

const FEW = sized(1000, 50)
export const MANY = process.argv.includes("--million") ? 1_000_000 : sized(50_000, 100)

/** Done jobs, half of them in one account as in the worst of deployments; every tenth waits in one of ten accounts, of which each has more than a claim takes. */
const SEED = `INSERT INTO job (id, account_id, status, phase, progress, run, completed_at, title, title_folded, source, options,
  enrichment, warnings, speaker_names, created_at)
SELECT 'tr_' || lpad(g::text, 26, '0'), CASE WHEN g % 2 = 0 THEN $1 WHEN g % 10 = 1 THEN 'acct_waiting' || (g % 100) ELSE 'acct_other' || (g % 1000) END,
  CASE WHEN g % 10 = 1 THEN 'queued' ELSE 'done' END, CASE WHEN g % 10 = 1 THEN 'waiting' END, 0, 0, CASE WHEN g % 10 <> 1 THEN t END,
  'Talk ' || g, 'talk ' || g, '{"shown": {"kind": "media"}}', '{}', '{}', '[]', '{}', t
FROM (SELECT g, timestamptz '2026-01-01' + g * interval '1 second' AS t FROM generate_series($2::int, $3::int) g) rows`
const SEED_QUEUE = `INSERT INTO queue (id, account_id, prio, run_at, state, needed)
SELECT id, account_id, 100, now(), 0, 0 FROM job WHERE status = 'queued'`
const SEED_CONTENT = `INSERT INTO transcript (job_id, account_id, text, segments)
SELECT id, account_id, 'word', '[]' FROM job ON CONFLICT DO NOTHING`
const SEED_SEARCH = `INSERT INTO transcript_search (job_id, account_id, created_at, words)
SELECT j.id, j.account_id, j.created_at, array_to_tsvector(array(
  SELECT right(j.account_id, 16) || ':w' || ((substr(j.id, 4)::bigint * (n + 7) * 7919) % 20000) FROM generate_series(1, 20) n
) || (right(j.account_id, 16) || ':common'))
FROM job j ON CONFLICT DO NOTHING`

const seed = async (client: Client, account: string, count: number, { searchable }: Wanted) => {
  await client.query("SET statement_timeout = 0; SET synchronous_commit = off; SET work_mem = '256MB'")
  await client.query(SEED, [account, 1, count])
  await client.query(SEED_QUEUE)
  if (searchable) {
    await client.query(SEED_CONTENT)
    await client.query(SEED_SEARCH)
  }
  await client.query("VACUUM ANALYZE job, queue, transcript, transcript_search")
}

interface Wanted {
  /** With short transcripts, and what finds them. */
  readonly searchable: boolean
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
  const search = (word: string) =>
    stores.runPromise(jobs.search(account, { words: wantedWords(word, { near: false }), limit: 20 }))
  return {
    get: () => stores.runPromise(jobs.get(account, JobId.make(`tr_${String(any()).padStart(26, "0")}`))),
    list: () => list({}),
    status: () => list({ status: "done" }),
    rare: () => search(`w${Math.floor(Math.random() * 20000)}`),
    common: () => search("comm"),
    claim: () => claim(stores, 10, 4),
  }
}

const CALLS = sized(300, 5)
const WARM_UP = sized(50, 1)

/** Few and many in turn, call by call: whatever else the machine does meets both. */
const inTurn = async (
  few: Read,
  many: Read,
  part: number,
  afterwards: () => Promise<unknown> = async () => undefined,
) => {
  const times = { few: [] as Array<number>, many: [] as Array<number> }
  for (let call = 0; call < WARM_UP + CALLS; call++) {
    const [short = 0] = await latencies(1, few)
    const [long = 0] = await latencies(1, many)
    await afterwards()
    if (call < WARM_UP) continue
    times.few.push(short)
    times.many.push(long)
  }
  const ofAll = (all: Array<number>) =>
    quantile(
      all.sort((left, right) => left - right),
      part,
    )
  return { few: ofAll(times.few), many: ofAll(times.many) }
}

const PUT_BACK = `UPDATE queue SET state = 0, lease_token = NULL, lease_until = NULL, worker = NULL WHERE state = 1`

/** A database of few jobs beside one of many. `stop` ends both. */
export const fewAndMany = async (wanted: Wanted) => {
  const { more, stop, ...large } = await startStores()
  const small = await more()
  const [reader, other] = [await newAccount(large.stores), await newAccount(small.stores)]
  await seed(small.client, other, FEW, wanted)
  await seed(large.client, reader, MANY, wanted)
  const few = await readsOf(small.stores, other, FEW)
  const many = await readsOf(large.stores, reader, MANY)
  return {
    compare: (name: keyof typeof few, part: number) => inTurn(few[name], many[name], part),
    /** What was claimed is put back, so that every claim finds as much. */
    compareClaims: (part: number) =>
      inTurn(few.claim, many.claim, part, async () => {
        for (const { client } of [small, large]) await client.query(PUT_BACK)
      }),
    stop,
  }
}
