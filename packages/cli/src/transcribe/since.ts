import { Clock, DateTime, Effect, Option } from "effect"
import { usage } from "../CommandFailed.js"

const DAY = 86_400_000

const DAYS = { d: 1, w: 7, m: 30, y: 365 } as const

const isUnit = (unit: string | undefined): unit is keyof typeof DAYS => unit !== undefined && unit in DAYS

/** A day, a time, or how long ago (`30d`, `2w`): milliseconds since 1970. */
export const readSince = Effect.fnUntraced(function* (given: string | undefined, option = "--since") {
  if (given === undefined) return null
  const [, count, unit] = /^(\d{1,4})([dwmy])$/.exec(given) ?? []
  if (isUnit(unit)) return (yield* Clock.currentTimeMillis) - Number(count) * DAYS[unit] * DAY
  const isDate = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(given)
  const time = isDate ? DateTime.make(given) : Option.none()
  if (Option.isNone(time))
    return yield* usage(
      `${option} needs a day such as 2026-11-01, a time such as 2026-11-01T08:00:00Z, or 30d for the last days, not "${given}".`,
    )
  return DateTime.toEpochMillis(time.value)
})

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 } as const

const isTimeUnit = (unit: string | undefined): unit is keyof typeof UNITS =>
  unit !== undefined && unit in UNITS

const SHORTEST = 60

/** A length of time such as `30m` or `6h`, in seconds. */
export const readInterval = Effect.fnUntraced(function* (given: string) {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(given) ?? []
  if (!isTimeUnit(unit)) return yield* usage(`--interval needs a time such as 30m, 6h or 1d, not "${given}".`)
  const seconds = Number(count) * UNITS[unit]
  if (seconds < SHORTEST)
    return yield* usage("--interval must be 1m or more: publishers are not asked more often.")
  return seconds
})
