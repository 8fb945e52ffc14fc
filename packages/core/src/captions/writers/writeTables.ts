import type { Segment } from "../../transcripts/Transcript.js"
import { printable, seconds } from "../timestamps.js"
import type { Script } from "./Script.js"

interface Row {
  readonly start: number
  readonly end: number
  readonly speaker: string | null
  readonly text: string
}

function* rowsOf(script: Script): Generator<Row> {
  for (const segment of script.segments) {
    if (script.wordLevel) yield* segment.words
    else if (textOf(segment) !== "") yield { ...segment, text: textOf(segment) }
  }
}

const textOf = (segment: Segment): string => segment.text

const QUOTED = /[",\r\n]|^\s|\s$/
/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/

const csvField = (text: string): string => {
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const endOf = (row: Row): number => Math.max(row.start, row.end)

/** Comma separated values after RFC 4180; times in seconds. */
export function* writeCsv(script: Script): Generator<string> {
  yield "start,end,speaker,text\r\n"
  for (const row of rowsOf(script))
    yield `${seconds(row.start)},${seconds(endOf(row))},${csvField(row.speaker ?? "")},${csvField(row.text)}\r\n`
}

/** Tab separated values; times in whole milliseconds. The text has no tabs or line ends left. */
export function* writeTsv(script: Script): Generator<string> {
  yield "start\tend\ttext\n"
  for (const row of rowsOf(script)) yield `${printable(row.start)}\t${printable(endOf(row))}\t${row.text}\n`
}
