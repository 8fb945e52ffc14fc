/** Times as people write them. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

const DAY = 86_400_000

const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 }

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/

/** A day, a time, or how long ago (`30d`, `2w`, `6m`, `1y`): milliseconds since 1970; null where it is none of them. */
export const readMoment = (text: string, now: number): number | null => {
  const [, count, unit = ""] = /^(\d{1,4})([dwmy])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * (DAYS[unit] ?? 0) * DAY
  const time = MOMENT.test(text) ? DateTime.make(text) : Option.none()
  return Option.isNone(time) ? null : DateTime.toEpochMillis(time.value)
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** A length of time such as `30m` or `6h`, in seconds; null where it is none. */
export const readLength = (text: string): number | null => {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return count === undefined ? null : Number(count) * (SECONDS[unit] ?? 0)
}
