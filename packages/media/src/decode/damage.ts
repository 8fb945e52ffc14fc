/** Where a file is damaged inside, found by asking what became of each frame. */
import { type Warning, warningOf } from "@earmark/core/jobs"
import { clockOf } from "@earmark/core/text"
import { TimeLimit } from "@earmark/service"
import { type Duration, Effect, Option } from "effect"
import { frameArguments } from "./hardening.js"
import { readNext, runProgram } from "./Program.js"

/** A part that could not be decoded, in seconds of the media. */
export interface Damage {
  readonly start: number
  readonly seconds: number
}

/** Timestamps are rounded, and encoders leave some samples out at seams. */
const LEAST_SECONDS = 0.05
const MOST_PLACES = 3

interface Frame {
  readonly at: number
  readonly seconds: number
  /** Where its bytes begin in the file, and how many they are. */
  readonly position: number
  readonly bytes: number
}

/** A line of ffprobe: `pts_time=1.2|pkt_duration_time=0.02|pkt_pos=96|pkt_size=12`. Null without time. */
const frameOf = (line: string): Frame | null => {
  const values = new Map(line.split("|").map((field) => [field.split("=")[0], Number(field.split("=")[1])]))
  const numberOf = (name: string) => {
    const value = values.get(name) ?? Number.NaN
    return Number.isFinite(value) ? value : null
  }
  const at = numberOf("pts_time")
  const seconds = numberOf("pkt_duration_time") ?? numberOf("duration_time")
  if (at === null || seconds === null) return null
  return { at, seconds, position: numberOf("pkt_pos") ?? 0, bytes: numberOf("pkt_size") ?? 0 }
}

/**
 * Collects the gaps between frames. Where a format has no timestamps of its own, those of its frames go on as if nothing were missing:
 * there the bytes that were passed over tell how much is.
 */
const makeGaps = (isWithoutTimes: boolean) => {
  const found: Array<Damage> = []
  let before: Frame | null = null
  let bytes = 0
  let seconds = 0
  const push = (frame: Frame): void => {
    if (before !== null) {
      const end = before.at + before.seconds
      const passed = Math.max(0, frame.position - before.position - before.bytes)
      const byBytes = isWithoutTimes && bytes > 0 ? (passed * seconds) / bytes : 0
      const missing = Math.max(frame.at - end, byBytes)
      if (missing >= LEAST_SECONDS) found.push({ start: end, seconds: missing })
    }
    before = frame
    bytes += frame.bytes
    seconds += frame.seconds
  }
  return { found, push }
}

/** Decodes a stream once more, for the times of its frames. Null: it took too long, or there is too much of it. */
export const findDamage = (
  path: string,
  options: {
    readonly ffprobe: string
    readonly stream: number
    readonly isWithoutTimes: boolean
    readonly from: number
    readonly to: number
    readonly limit: Duration.Duration
  },
): Effect.Effect<ReadonlyArray<Damage> | null> =>
  Effect.gen(function* () {
    const { output } = yield* runProgram(options.ffprobe, frameArguments(path, options.stream, options.to))
    const { found, push } = makeGaps(options.isWithoutTimes)
    let rest = ""
    for (let part = yield* readNext(output); part !== null; part = yield* readNext(output)) {
      const lines = (rest + part.toString("latin1")).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) {
        const frame = frameOf(line)
        if (frame !== null) push(frame)
      }
    }
    return found.filter(({ start, seconds }) => start + seconds > options.from && start < options.to)
  }).pipe(
    Effect.scoped,
    TimeLimit.option(options.limit),
    Effect.map(Option.getOrNull),
    Effect.catchAll((failure) =>
      Effect.as(Effect.logDebug("The places of damage could not be found", failure), null),
    ),
  )

const lengthOf = (seconds: number): string => `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`

/** `Damaged at 12:31: 0.4 s could not be decoded.` */
const sentenceOf = (damages: ReadonlyArray<Damage>): string => {
  const [first] = damages
  if (first !== undefined && damages.length === 1)
    return `Damaged at ${clockOf(first.start)}: ${lengthOf(first.seconds)} could not be decoded.`
  const places = damages
    .slice(0, MOST_PLACES)
    .map(({ start, seconds }) => `${clockOf(start)} (${lengthOf(seconds)})`)
  const more = damages.length - MOST_PLACES
  const rest = more > 0 ? ` and at ${more} more ${more === 1 ? "place" : "places"}` : ""
  return `Damaged at ${places.join(", ")}${rest}: these parts could not be decoded.`
}

/** What a user is told of damage; nothing where there is none. */
export const damageWarnings = (damages: ReadonlyArray<Damage> | null): ReadonlyArray<Warning> => {
  if (damages === null) return [warningOf("media_damaged")]
  return damages.length === 0 ? [] : [{ code: "media_damaged", detail: sentenceOf(damages) }]
}
