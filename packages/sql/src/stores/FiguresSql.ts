import { Figures, type StoreFigures } from "@earmark/service"
import { Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database } from "../database/Database.js"
import { queueStats } from "./queueStats.js"

interface FiguresRow extends QueryResultRow {
  readonly phases: StoreFigures["phases"] | null
  readonly pending: number
  readonly delivering: number
  readonly overdue: number
  readonly accounts: number
  readonly posted: number
  readonly held: number
}

// From the tables of what is open, and the one of balances: none of these grows with what has ended.
const FIGURES = `SELECT
  (SELECT json_object_agg(each.phase, each.jobs) FROM (
    SELECT j.phase, count(*) AS jobs FROM queue q JOIN job j ON j.id = q.id WHERE j.phase IS NOT NULL GROUP BY 1
  ) each) AS phases,
  (SELECT count(*) FROM webhook_delivery WHERE state = 'pending') AS pending,
  (SELECT count(*) FROM webhook_delivery WHERE state = 'delivering') AS delivering,
  (SELECT greatest(0, coalesce(extract(epoch FROM earmark_now() - min(next_at)), 0))::float8
    FROM webhook_delivery WHERE state = 'pending') AS overdue,
  (SELECT count(*) FROM credit_balance) AS accounts,
  (SELECT coalesce(sum(posted), 0)::bigint FROM credit_balance) AS posted,
  (SELECT coalesce(sum(held), 0)::bigint FROM credit_balance) AS held`

// Whether a statement may write is looked at before what it would write: this one writes no row, on a small table that nothing locks.
const WRITES_NOTHING = "UPDATE secrets_key SET id = id WHERE false"

const make = Effect.gen(function* () {
  const database = yield* Database
  return Figures.of({
    read: Effect.gen(function* () {
      const queue = yield* queueStats(database)
      const [row] = yield* database.query<FiguresRow>("Figures.read", FIGURES, [], { reads: true })
      return {
        phases: row?.phases ?? {},
        queue,
        deliveries: {
          pending: row?.pending ?? 0,
          delivering: row?.delivering ?? 0,
          overdueSeconds: row?.overdue ?? 0,
        },
        credits: { accounts: row?.accounts ?? 0, posted: row?.posted ?? 0, held: row?.held ?? 0 },
      }
    }),
    requireWritable: Effect.asVoid(
      database.query("Figures.requireWritable", WRITES_NOTHING, [], { reads: true }),
    ),
  })
})

export const layer = Layer.effect(Figures, make)
