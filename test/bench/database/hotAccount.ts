/** Ending the jobs of one account, many at once: all of them change its balance. */
import { JobId } from "@earmark/core/jobs"
import type { Segment, Word } from "@earmark/core/transcripts"
import { type Finished, JobQueue, JobStore, Ledger } from "@earmark/service"
import { Effect } from "effect"
import type { Client } from "pg"
import { absolute, type Outcome, sized } from "../harness.js"
import { batchOf, newAccount, rate, type Stores } from "./measure.js"

const CALLERS = sized(32, 4)
const ROUNDS = sized(3, 1)
const COMPLETES = sized(640, 16)
const LEAST = 120

const SEGMENTS = 150
const WORDS = 10

const text = (segment: number, word: number) => `word${(segment * 37 + word * 101) % 700}`

/** Ten minutes of speech with the times of its 1,500 words. */
const segments = Array.from({ length: SEGMENTS }, (_, segment): Segment => {
  const start = segment * 4000
  const words = Array.from(
    { length: WORDS },
    (_word, index): Word => ({
      text: text(segment, index),
      start: start + index * 400,
      end: start + index * 400 + 350,
      confidence: 0.5 + (index % 5) / 10,
      speaker: null,
    }),
  )
  const line = words.map((word) => word.text).join(" ")
  return { start, end: start + 4000, speaker: null, text: line, words }
})

const finished: Finished = {
  content: {
    language: "en",
    segments,
    text: segments.map((segment) => segment.text).join(" "),
    summary: null,
    chapters: null,
    translation: null,
  },
  origin: "engine",
  engine: "scripted",
  wordTiming: "engine",
  detectedLanguage: null,
  durationSeconds: 600,
  wordCount: SEGMENTS * WORDS,
  credits: 10,
  billedMinutes: 10,
  minutes: 10,
  enrichment: {},
  integrity: null,
  warnings: [],
}

const LEASE = `UPDATE queue SET state = 1, lease_token = 'bench', lease_until = now() + interval '1 hour'
WHERE account_id = $1 AND state = 0 RETURNING id`

/** Completes per second of one round. */
const round = async (stores: Stores, client: Client): Promise<number> => {
  const account = await newAccount(stores)
  const jobs = await stores.runPromise(JobStore)
  const queue = await stores.runPromise(JobQueue)
  await stores.runPromise(jobs.createBatch(batchOf(account, COMPLETES)))
  const { rows } = await client.query<{ readonly id: string }>(LEASE, [account])
  const perSecond = await rate(rows.length, CALLERS, () => {
    const lease = { job: JobId.make(rows.pop()?.id ?? ""), token: "bench", attempt: 1 }
    return stores.runPromise(queue.complete(lease, finished, { cacheKeys: [lease.job], shared: false }))
  })
  const ended = await client.query(
    `SELECT count(*)::integer AS count FROM job j JOIN transcript t ON t.job_id = j.id JOIN credit_hold h ON h.job_id = j.id
    WHERE j.account_id = $1 AND j.status = 'done' AND h.state = 'settled'`,
    [account],
  )
  if (ended.rows[0]?.count !== COMPLETES) throw new Error(`only ${ended.rows[0]?.count} jobs are done`)
  return perSecond
}

export const hotCompletes = async (stores: Stores, client: Client): Promise<ReadonlyArray<Outcome>> => {
  const paces: Array<number> = []
  for (let count = 0; count <= ROUNDS; count++) {
    const pace = await round(stores, client)
    if (count > 0) paces.push(pace)
  }
  const best = Math.max(...paces)
  const wrong = await stores.runPromise(Effect.flatMap(Ledger, (ledger) => ledger.verify))
  return [
    absolute(
      `completes of one account with ${CALLERS} callers, per second`,
      best,
      `>= ${LEAST}`,
      best >= LEAST,
    ),
    absolute("sums of the ledger that do not agree afterwards", wrong.length, "0", wrong.length === 0),
  ]
}
