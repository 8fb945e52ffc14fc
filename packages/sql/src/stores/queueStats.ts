import type { QueueStats } from "@earmark/service"
import { Effect } from "effect"
import type { QueryResultRow } from "pg"
import type { Database } from "../database/Database.js"

interface StatsRow extends QueryResultRow, Omit<QueueStats, "oldestSeconds"> {
  readonly oldest: number
}

const STATS = `SELECT count(*) FILTER (WHERE state = 0) AS ready, count(*) FILTER (WHERE state = 3) AS scheduled,
  count(*) FILTER (WHERE state = 1) AS leased, count(*) FILTER (WHERE state = 2) AS dead,
  coalesce(greatest(0, extract(epoch FROM earmark_now() - min(run_at) FILTER (WHERE state = 0))), 0)::double precision AS oldest
FROM queue`

/** How many entries there are of each kind. */
export const queueStats = (database: Database["Type"]) =>
  Effect.map(
    database.query<StatsRow>("JobQueue.stats", STATS, [], { reads: true }),
    ([row]): QueueStats => ({
      ready: row?.ready ?? 0,
      scheduled: row?.scheduled ?? 0,
      leased: row?.leased ?? 0,
      dead: row?.dead ?? 0,
      oldestSeconds: row?.oldest ?? 0,
    }),
  )
