import { type KeyLimitReached, requireKeyRoom } from "@earmark/core/credits"
import type { AccountId } from "@earmark/core/jobs"
import { Effect } from "effect"
import type { QueryResultRow } from "pg"
import type { Run } from "../database/Database.js"

interface SpendingRow extends QueryResultRow {
  readonly key_limit: number | null
  readonly key_used: number
  readonly key_resets: number
}

const SPENDING = "SELECT key_limit, key_used, key_resets FROM key_spending($1, $2)"

/** Refuses holds that would take a key over its monthly limit. The balance of the account is locked before. */
export const requireRoomOf = (run: Run, account: AccountId, key: string | null, needed: number) =>
  key === null || needed === 0
    ? Effect.void
    : Effect.flatMap(
        run<SpendingRow>(SPENDING, [account, key]),
        ([row]): Effect.Effect<void, KeyLimitReached> =>
          row === undefined
            ? Effect.void
            : requireKeyRoom({ limit: row.key_limit, used: row.key_used, resetsAt: row.key_resets }, needed),
      )
