/** How one source ended, for people and for scripts. */
import type { Origin, Warning } from "@earmark/core/jobs"
import { united } from "@earmark/core/transcripts"
import { Struct } from "effect"
import { printable, printableJson } from "../output.js"
import { shortWarning } from "./explain.js"
import { clockOf, counted } from "./figures.js"
import { identityOnWire } from "./identity.js"
import type { Target } from "./made.js"
import type { ExitCode } from "./TranscribeRequest.js"
import type { Facts, Identity } from "./Workplace.js"

export interface Done {
  readonly status: "done"
  readonly source: string
  readonly identity: Identity
  readonly facts: Facts
  /** How much of it lies between the beginning and the end that were asked for. */
  readonly partSeconds: number
  readonly outputs: ReadonlyArray<Target>
  /** How long it took, in seconds. */
  readonly tookSeconds: number
}

export interface Skipped {
  readonly status: "skipped"
  readonly source: string
  readonly identity: Identity
  readonly outputs: ReadonlyArray<Target>
  readonly reason: string
  /** What is there is no result of this source as it was asked for, and is not Earmark's to write over. */
  readonly isTaken: boolean
}

export interface Failed {
  readonly status: "failed"
  readonly source: string
  readonly identity: Identity
  readonly code: string
  readonly message: string
  /** It failed in an earlier run, and was not tried again. */
  readonly remembered: boolean
}

/** Not begun, since a cap would be passed. */
export interface Held {
  readonly status: "held"
  readonly source: string
  readonly identity: Identity
  readonly reason: string
}

/** Left alone, since another run is making its results. */
export interface UnderWay {
  readonly status: "under_way"
  readonly source: string
  readonly identity: Identity
  /** The process of that run. */
  readonly pid: number
}

/** What a dry run would do. */
export interface Planned {
  readonly status: "planned"
  readonly source: string
  readonly identity: Identity
  readonly outputs: ReadonlyArray<Target>
  /** What would be printed instead; null when it goes to files. */
  readonly printed: string | null
  /** Where its words would come from: the publisher may have a text for it, or this machine has heard it before. */
  readonly origin: Origin
  /** Null when nobody knows how long it is. */
  readonly seconds: number | null
  /** How much of that is asked for. */
  readonly partSeconds: number | null
  readonly minutes: number | null
  readonly credits: number | null
  /** Should the text of the publisher not be had, or not do. */
  readonly creditsAtMost: number | null
}

export type Result = Done | Skipped | Failed | Held | UnderWay | Planned

/** How many ended how; of those skipped, how many found their place taken. */
export type Counts = Readonly<Record<Result["status"] | "taken", number>>

export const countOf = (results: ReadonlyArray<Result>): Counts => {
  const counts = { done: 0, skipped: 0, failed: 0, held: 0, under_way: 0, planned: 0, taken: 0 }
  for (const result of results) {
    counts[result.status] += 1
    if (isTaken(result)) counts.taken += 1
  }
  return counts
}

/** Whether a source was passed over without having a result. */
export const isTaken = (result: Result): boolean => result.status === "skipped" && result.isTaken

/** 0 when all is as it was asked for, 1 when nothing is, 3 when some of it is. */
export const exitCodeOf = (counts: Counts): ExitCode => {
  const { done, skipped, planned, taken } = counts
  if (counts.failed + counts.held + counts.under_way + taken === 0) return 0
  return done + skipped - taken + planned === 0 ? 1 : 3
}

const underWay = ({ pid }: UnderWay): string => `being transcribed by another run (pid ${pid})`

const speedOf = ({ facts: { heardSeconds }, tookSeconds }: Done): number | null =>
  tookSeconds <= 0 || heardSeconds <= 0 ? null : Number((heardSeconds / tookSeconds).toFixed(1))

const outputsOf = (outputs: ReadonlyArray<Target>) => outputs.map(({ format, path }) => ({ format, path }))

const fieldsOf = (result: Result) => {
  switch (result.status) {
    case "failed":
      return {
        failure: { code: result.code, message: result.message },
        ...(result.remembered && { remembered: true }),
      }
    case "held":
      return { reason: result.reason }
    case "under_way":
      return { pid: result.pid, reason: underWay(result) }
    case "skipped":
      return {
        reason: result.reason,
        outputs: outputsOf(result.outputs),
        ...(result.isTaken && { taken: true }),
      }
    case "planned":
      return {
        outputs: outputsOf(result.outputs),
        origin: result.origin,
        duration_seconds: result.seconds,
        heard_seconds: result.partSeconds,
        minutes: result.minutes,
        credits: result.credits,
        credits_at_most: result.creditsAtMost,
      }
    case "done": {
      const { facts } = result
      return {
        outputs: outputsOf(result.outputs),
        ...(facts.id !== null && { id: facts.id }),
        origin: facts.origin,
        engine: facts.engine,
        language: facts.language,
        duration_seconds: facts.durationSeconds,
        heard_seconds: result.partSeconds,
        words: facts.words,
        speakers: facts.speakers,
        took_seconds: Number(result.tookSeconds.toFixed(2)),
        speed: speedOf(result),
        warnings: facts.warnings,
        gaps: facts.gaps,
        doubts: facts.doubts,
        word_timing: facts.wordTiming,
        enrichment: facts.enrichment,
      }
    }
  }
}

/** The line of a source on standard output, with `--json`, and in a manifest. */
export const jsonOf = (result: Result): string =>
  printableJson({
    source: result.source,
    status: result.status,
    ...identityOnWire(result.identity),
    ...fieldsOf(result),
  })

const shown = (outputs: ReadonlyArray<Target>): string =>
  outputs.length === 0 ? "" : ` -> ${outputs.map(({ path }) => printable(path)).join(", ")}`

const byWhom = ({ facts: { origin, engine } }: Done): string => {
  if (origin === "cache") return "done before"
  return origin === "engine" ? `by ${engine ?? "an engine"}` : "from the publisher's captions"
}

/** What a person need know: that a language was assumed matters where the text is in doubt. */
export const worthTelling = ({ warnings, doubts }: Facts): ReadonlyArray<Warning> =>
  warnings.filter(({ code }) => code !== "language_guessed" || doubts.length > 0)

const remarks = (facts: Facts): string => {
  const warnings = worthTelling(facts)
  return warnings.length === 0 ? "" : ` (${warnings.map(({ code }) => shortWarning(code)).join(", ")})`
}

const MOST_PLACES = 5

/** Places as a person finds them in a player. */
const placesOf = (spans: Facts["gaps"]): string => {
  const places = spans
    .slice(0, MOST_PLACES)
    .map(({ start, end }) => `${clockOf(start)} to ${clockOf(Math.ceil(end))}`)
  const more = spans.length > MOST_PLACES ? `, and ${spans.length - MOST_PLACES} more` : ""
  return `${places.join(", ")}${more}`
}

/** The places without words; null when there are none. */
const gapsLine = ({ gaps }: Facts): string | null =>
  gaps.length === 0 ? null : `  no words, although a voice was detected: ${placesOf(gaps)}`

/** What speaks against the text; null when nothing does. */
const doubtsLine = ({ doubts, warnings, language }: Facts): string | null => {
  const has = (code: Warning["code"]) => warnings.some((warning) => warning.code === code)
  const assumed =
    has("language_guessed") && language !== null ? ` (the language was assumed: ${language})` : ""
  if (has("text_doubtful"))
    return `  the text hardly fits the sound${assumed}: listen to it before you use it`
  return doubts.length === 0
    ? null
    : `  the text is in doubt, listen to it there: ${placesOf(united(doubts))}`
}

/** Where the file is damaged; null when it is not. */
const damageLine = ({ warnings }: Facts): string | null => {
  const damaged = warnings.find(({ code }) => code === "media_damaged")
  return damaged === undefined ? null : `  ${damaged.detail}`
}

/** What a person should look at in a result, each in one line. */
export const remarkLines = (facts: Facts): ReadonlyArray<string> =>
  [damageLine(facts), doubtsLine(facts), gapsLine(facts)].filter((line) => line !== null)

/** The length, and of a part how long that is: "0:15 of 0:37". */
export const lengthOf = (seconds: number, partSeconds: number): string =>
  clockOf(partSeconds) === clockOf(seconds)
    ? clockOf(seconds)
    : `${clockOf(partSeconds)} of ${clockOf(seconds)}`

const factsOf = (result: Done): ReadonlyArray<string> => {
  const { facts } = result
  const speed = speedOf(result)
  return [
    lengthOf(facts.durationSeconds, result.partSeconds),
    counted(facts.words, "word"),
    ...(facts.speakers > 0 ? [counted(facts.speakers, "speaker")] : []),
    byWhom(result) + remarks(facts),
    ...(speed === null ? [] : [`${speed}x real time`]),
  ]
}

/** What stands behind the cost of a plan. */
const PLANNED_FROM: Readonly<Record<Origin, string>> = {
  engine: "",
  captions: " (publisher's text, free if it can be had)",
  cache: ", done before",
}

/** Before what it costs at most, where it may cost less. */
export const upTo = (credits: number | null, most: number | null): string =>
  most === null || credits === most ? "" : "up to "

/** Minutes and credits as a plan tells them, and of a part how long that is. */
const costOf = ({ minutes, creditsAtMost: credits, seconds, partSeconds, ...planned }: Planned): string => {
  if (minutes === null || credits === null) return "of unknown length"
  const most = upTo(planned.credits, credits)
  const part =
    seconds === null || partSeconds === null || clockOf(partSeconds) === clockOf(seconds)
      ? ""
      : `${lengthOf(seconds, partSeconds)}, `
  return `${part}${counted(minutes, "minute")}, ${most}${counted(credits, "credit")}`
}

/** The line of a source for people. */
export const lineOf = (result: Result): string => {
  const name = printable(result.source)
  switch (result.status) {
    case "failed":
      return `${name}: failed${result.remembered ? " before" : ""}: ${printable(result.message)}`
    case "held":
      return `${name}: not begun: ${printable(result.reason)}`
    case "under_way":
      return `${name}: ${underWay(result)}`
    case "skipped":
      return `${name}: skipped: ${printable(result.reason)}`
    case "planned":
      return `${name}${shown(result.outputs)}: ${costOf(result)}${PLANNED_FROM[result.origin]}`
    case "done":
      return `${name}${shown(result.outputs)}: ${factsOf(result).join(", ")}`
  }
}

/** How people call the ends, in the order in which they are counted. */
export const STATUS_NAMES: Readonly<Record<Result["status"], string>> = {
  planned: "to do",
  done: "done",
  skipped: "skipped",
  failed: "failed",
  held: "not begun",
  under_way: "under way elsewhere",
}

/** `3 sources: 1 done, 2 skipped` */
export const countsOf = (counts: Counts): string => {
  const names = Struct.entries(STATUS_NAMES)
  const all = names.reduce((sum, [status]) => sum + counts[status], 0)
  const parts = names
    .filter(([status]) => counts[status] > 0 || (status === "done" && counts.planned === 0))
    .map(([status, name]) => `${counts[status]} ${name}`)
  return `${counted(all, "source")}: ${parts.join(", ")}`
}
