import { creditMonth, type KeyLimitReached, requireKeyRoom } from "@earmark/core/credits"
import { Either } from "effect"
import type { Transaction } from "./MemoryDatabase.js"

/** The credits that a key has used this month: open holds whole, others as they were settled. */
export const usedOf = (db: Transaction, key: string): number => {
  const { from } = creditMonth(db.now)
  return db.holdingKeys
    .filter((each) => each.key === key && each.openedAt >= from)
    .reduce((sum, { job }) => {
      const hold = db.holds.get(job)
      return sum + ((hold?.state === "open" ? hold.amount : hold?.settled) ?? 0)
    }, 0)
}

/** Refuses holds that would take a key over its monthly limit. Jobs without a key have none. */
export const requireRoomOf = (
  db: Transaction,
  key: string | null,
  needed: number,
): Either.Either<void, KeyLimitReached> => {
  const limit = key === null ? null : (db.apiKeys.get(key)?.monthlyCredits ?? null)
  if (key === null || limit === null) return Either.void
  return requireKeyRoom({ limit, used: usedOf(db, key), resetsAt: creditMonth(db.now).to }, needed)
}
