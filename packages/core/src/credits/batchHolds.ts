import * as Either from "effect/Either"
import { availableOf, type Balance, OutOfCredits } from "./Ledger.js"

/**
 * How many jobs of a batch, newest first, get their hold now; the rest wait for credits. The first that does not fit
 * ends it, so that a cheap old episode never overtakes a newer one. Nothing available at all: the batch is refused.
 */
export const batchHolds = (
  balance: Balance,
  amounts: ReadonlyArray<number>,
): Either.Either<{ readonly held: number; readonly sum: number }, OutOfCredits> => {
  const available = availableOf(balance)
  if (available <= 0 && amounts.length > 0) {
    const needed = amounts.reduce((sum, amount) => sum + amount, 0)
    return Either.left(new OutOfCredits({ balance: balance.posted, available: 0, needed }))
  }
  let sum = 0
  let count = 0
  for (const amount of amounts) {
    if (sum + amount > available) break
    sum += amount
    count += 1
  }
  return Either.right({ held: count, sum })
}
