import type { AccountId } from "@earmark/core/jobs"
import type { IdempotencyKey } from "@earmark/core/requests"
import { Either } from "effect"
import { type Guard, type Guarded, type GuardRefused, IdempotencyKeyReused } from "../ports/JobStore.js"
import type { Transaction } from "./MemoryDatabase.js"

const rowKey = (account: AccountId, key: IdempotencyKey) => `${account} ${key}`

/** The answer kept under a key; null when there is none any more. */
export const recall = (
  db: Transaction,
  account: AccountId,
  { key, fingerprint }: Pick<Guard, "key" | "fingerprint">,
): Either.Either<string | null, IdempotencyKeyReused> => {
  const row = db.guards.get(rowKey(account, key))
  if (row === undefined || row.expiresAt <= db.now) return Either.right(null)
  return row.fingerprint === fingerprint ? Either.right(row.answer) : Either.left(new IdempotencyKeyReused())
}

/** Runs a write once for its key. What the write refuses, the transaction takes back, its guard with it. */
export const guarded = <E>(
  db: Transaction,
  account: AccountId,
  guard: Guard | null,
  write: () => Either.Either<void, E>,
): Either.Either<Guarded, GuardRefused | E> =>
  Either.gen(function* () {
    const kept = guard === null ? null : yield* recall(db, account, guard)
    if (kept !== null) return { type: "replayed", answer: kept } as const
    yield* write()
    if (guard !== null) db.guards.set(rowKey(account, guard.key), guard)
    return { type: "done" } as const
  })

export const forgetGuards = (db: Transaction): void => {
  db.guards.deleteWhere((row) => row.expiresAt <= db.now)
}
