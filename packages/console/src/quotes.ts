/** The price of several transcriptions together. */
import type { Quote } from "@earmark/api/client"

type Price = Pick<
  Quote,
  "minutes" | "credits" | "cached" | "balance_after" | "unknown_because" | "unknown_lengths"
>

const sum = (values: ReadonlyArray<number | null>): number | null =>
  values.reduce<number | null>((all, each) => (all === null || each === null ? null : all + each), 0)

/** Unknown where one of them is. */
export const togetherOf = (quotes: ReadonlyArray<Price>): Price => {
  const [first] = quotes
  if (quotes.length === 1 && first !== undefined) return first
  const credits = sum(quotes.map((each) => each.credits))
  const unknown = quotes.find((each) => each.credits === null)
  const before =
    first === undefined || first.balance_after === null || first.credits === null
      ? null
      : first.balance_after + first.credits
  return {
    credits,
    minutes: sum(quotes.map((each) => each.minutes)),
    cached: quotes.length > 0 && quotes.every((each) => each.cached),
    balance_after: before === null || credits === null ? null : before - credits,
    unknown_because: unknown?.unknown_because,
    unknown_lengths: null,
  }
}
