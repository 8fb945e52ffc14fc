/** How one source ended, for people. */

import {
  type Counts,
  type Done,
  type Facts,
  type Planned,
  type Result,
  speedOf,
  type Target,
  underWayText,
} from "@earmark/batch"
import type { Origin, Warning } from "@earmark/core/jobs"
import { united } from "@earmark/core/transcripts"
import { Struct } from "effect"
import { printable } from "../output.js"
import { shortWarning } from "./explain.js"
import { clockOf, counted, lengthOf } from "./figures.js"

/** 0 when all is as it was asked for, 1 when nothing is, 3 when some of it is. */
export const exitCodeOf = (counts: Counts): 0 | 1 | 3 => {
  const { done, skipped, planned, taken } = counts
  if (counts.failed + counts.held + counts.under_way + taken === 0) return 0
  return done + skipped - taken + planned === 0 ? 1 : 3
}

const shown = (outputs: ReadonlyArray<Target>): string =>
  outputs.length === 0 ? "" : ` -> ${outputs.map(({ path }) => printable(path)).join(", ")}`

const byWhom = ({ facts: { origin, engine } }: Done): string => {
  if (origin === "cache") return "done before"
  return origin === "engine" ? `by ${engine ?? "an engine"}` : "from the publisher's captions"
}

/** What a person need know: that a language was assumed matters where the text is in doubt. */
export const worthTelling = ({ warnings, doubts }: Facts): ReadonlyArray<Warning> =>
  warnings.filter(
    ({ code }) => code !== "no_confidence" && (code !== "language_guessed" || doubts.length > 0),
  )

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

/** Minutes, and credits where they are charged, as a plan tells them, and of a part how long that is. */
const costOf = (planned: Planned): string => {
  const { minutes, creditsAtMost: credits, seconds, partSeconds } = planned
  if (minutes === null || credits === null) return "of unknown length"
  const part =
    seconds === null || partSeconds === null || clockOf(partSeconds) === clockOf(seconds)
      ? ""
      : `${lengthOf(seconds, partSeconds)}, `
  const price = planned.takesCredits ? `, ${upTo(planned.credits, credits)}${counted(credits, "credit")}` : ""
  return `${part}${counted(minutes, "minute")}${price}`
}

/** A source as people know it: the episode that the address of a feed stood for by its title. */
export const nameOf = ({ source, identity: { feed, title } }: Result): string =>
  feed === null || title === null ? source : title

/** The line of a source for people. */
export const lineOf = (result: Result): string => {
  const name = printable(nameOf(result))
  switch (result.status) {
    case "failed":
      // The address leads to what is wrong.
      return `${printable(result.source)}: failed${result.remembered ? " before" : ""}: ${printable(result.message)}`
    case "held":
      return `${name}: not begun: ${printable(result.reason)}`
    case "under_way":
      return `${name}: ${underWayText(result)}`
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

/** What a plan says of what is there already. */
export const IN_LIBRARY = "in the library"

/** `3 sources: 1 done, 2 skipped`; `known`: how many of those that are planned are in the library. */
export const countsOf = (counts: Counts, known = 0): string => {
  const names = Struct.entries(STATUS_NAMES)
  const all = names.reduce((sum, [status]) => sum + counts[status], 0)
  const isSaid = (status: Result["status"]) => status === "done" && counts.planned === 0
  const parts = names
    .map(([status, name]) => [counts[status] - (status === "planned" ? known : 0), status, name] as const)
    .filter(([count, status]) => count > 0 || isSaid(status))
    .map(([count, , name]) => `${count} ${name}`)
  if (known > 0) parts.push(`${known} ${IN_LIBRARY}`)
  return `${counted(all, "source")}: ${parts.join(", ")}`
}
