/** The credits that one API key may spend in a calendar month (UTC). */

import * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { counted } from "../text/counted.js"

/** How much of its month a key has used: what its jobs hold and what they were charged. */
export interface KeySpending {
  /** Null: no limit. */
  readonly limit: number | null
  readonly used: number
  /** When the next month begins. */
  readonly resetsAt: number
}

/** The key would spend more this month than its limit allows. */
export class KeyLimitReached extends Schema.TaggedError<KeyLimitReached>()("KeyLimitReached", {
  limit: Schema.Int,
  used: Schema.Int,
  needed: Schema.Int,
  resetsAt: Schema.Int,
}) {
  override get message() {
    const day = DateTime.formatIsoDateUtc(DateTime.unsafeMake(this.resetsAt))
    return `This key has used ${this.used} of its ${counted(this.limit, "credit")} for this month, and ${this.needed} more ${this.needed === 1 ? "is" : "are"} needed; the count begins again on ${day} (UTC)`
  }
}

/** The calendar month of a moment: its first moment, and that of the next one. */
export const creditMonth = (moment: number): { readonly from: number; readonly to: number } => {
  const from = DateTime.startOf(DateTime.unsafeMake(moment), "month")
  return { from: DateTime.toEpochMillis(from), to: DateTime.toEpochMillis(DateTime.add(from, { months: 1 })) }
}

/** Refuses new holds of a key that do not fit into its month. Holds of nothing always fit. */
export const requireKeyRoom = (
  { limit, used, resetsAt }: KeySpending,
  needed: number,
): Either.Either<void, KeyLimitReached> =>
  limit === null || needed === 0 || used + needed <= limit
    ? Either.void
    : Either.left(new KeyLimitReached({ limit, used, needed, resetsAt }))
