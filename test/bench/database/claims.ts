/** Claiming from a queue in which one account has very much, and many have little. */
import { JobQueue } from "@earmark/service"
import { Effect } from "effect"
import type { Client } from "pg"
import { sized } from "../harness.js"
import { latencies, quantile, type Stores } from "./measure.js"

export const WAITING = sized(5000, 50)

/** One account with 5,000 ready jobs and many with five each, as bare entries. */
export const seed = async (client: Client, accounts: number) => {
  await client.query("TRUNCATE queue, job, publication, transcript_edit, transcript_extra")
  await client.query(
    `INSERT INTO queue (id, account_id, prio, run_at, state, needed)
    SELECT 'tr_big' || g, 'acct_big', 100, now(), 0, 0 FROM generate_series(1, $2::int) g
    UNION ALL SELECT 'tr_' || a || '_' || g, 'acct_' || a, 100, now(), 0, 0
      FROM generate_series(1, $1::int) a, generate_series(1, 5) g`,
    [accounts, WAITING],
  )
  await client.query(
    `INSERT INTO job (id, account_id, status, phase, progress, run, source, options, enrichment, warnings, speaker_names, created_at)
    SELECT id, account_id, 'queued', 'waiting', 0, 0, '{"shown": {"kind": "media"}}', '{}', '{}', '[]', '{}', now() FROM queue`,
  )
  await client.query("VACUUM ANALYZE queue, job")
}

export const claim = (stores: Stores, want: number, cap: number) =>
  stores.runPromise(
    Effect.flatMap(JobQueue, (queue) => queue.claim({ worker: "bench", want, cap, leaseSeconds: 600 })),
  )

/** Milliseconds of a claim of 10, p50. */
export const claimTime = async (stores: Stores, client: Client, accounts: number): Promise<number> => {
  await seed(client, accounts)
  return quantile(await latencies(sized(60, 3), () => claim(stores, 10, 4)), 0.5)
}
