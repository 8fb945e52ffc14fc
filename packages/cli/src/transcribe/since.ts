import { readLength, readMoment } from "@earmark/core/text"
import { Clock, DateTime, Effect } from "effect"
import { usage } from "../CommandFailed.js"

/** The moment that an option names: a day, a time, or how long ago (`30d`, `2w`): milliseconds since 1970. */
export const readSince = Effect.fnUntraced(function* (given: string | undefined, option = "--since") {
  if (given === undefined) return null
  const time = readMoment(given, yield* Clock.currentTimeMillis)
  return (
    time ??
    (yield* usage(
      `${option} needs a day such as 2026-11-01, a time such as 2026-11-01T08:00:00Z, or 30d for the last days, not "${given}".`,
    ))
  )
})

/** The same as services take it. */
export const timeIn = (option: string, given: string | undefined) =>
  Effect.map(readSince(given, option), (time) =>
    time === null ? undefined : DateTime.formatIso(DateTime.unsafeMake(time)),
  )

const SHORTEST = 60

/** A length of time such as `30m` or `6h`, in seconds. */
export const readInterval = Effect.fnUntraced(function* (given: string) {
  const seconds = readLength(given)
  if (seconds === null) return yield* usage(`--interval needs a time such as 30m, 6h or 1d, not "${given}".`)
  if (seconds < SHORTEST)
    return yield* usage("--interval must be 1m or more: publishers are not asked more often.")
  return seconds
})
