import type { InTurns } from "../../text/inTurns.js"
import { joinUnits } from "../../text/units.js"
import type { Cue, Word } from "../../transcripts/Transcript.js"
import { BLOCKS_IN_A_TURN, NO_WORDS, type Problems, type Reading } from "../CaptionFile.js"
import { MAX_TIME } from "../timestamps.js"
import { joinWords } from "./jsonWords.js"
import { tidyLines } from "./tidyLines.js"

export const CSV_HEAD = /^start,end,speaker,text[ \t]*(?:\n|$)/i
export const TSV_HEAD = /^start\tend\ttext[ \t]*(?:\n|$)/i
/** Recording, channel, start, length, word, and perhaps a confidence. */
const CTM_LINE = /^\S+ \S+ (\d+(?:\.\d+)?) (\d+(?:\.\d+)?) (\S+)(?: (\d+(?:\.\d+)?))?$/

export const isCtm = (text: string): boolean => CTM_LINE.test(text.slice(0, text.indexOf("\n")).trimEnd())

/** What an export puts before a text that a spreadsheet would take for a formula. */
const GUARD = /^'(?=[=+\-@\t\r])/

const TIME = /^\d{1,16}(?:\.\d{1,9})?$/

const timeOf = (text: string, unit: number): number | null => {
  const time = TIME.test(text) ? Math.round(Number(text) * unit) : MAX_TIME + 1
  return time <= MAX_TIME ? time : null
}

interface Row {
  readonly fields: ReadonlyArray<string>
  /** Where the next row begins. */
  readonly next: number
}

/** Up to the quote that closes it; one that is meant stands twice. */
const QUOTED = /"([^"]*(?:""[^"]*)*)"?/y
const PLAIN = /[^,\n]*/y

/** A row of comma separated values after RFC 4180. */
const csvRow = (text: string, from: number): Row => {
  const fields: Array<string> = []
  let at = from
  do {
    if (fields.length > 0) at++
    QUOTED.lastIndex = at
    const quoted = QUOTED.exec(text)
    if (quoted !== null) at = QUOTED.lastIndex
    PLAIN.lastIndex = at
    const plain = PLAIN.exec(text)?.[0] ?? ""
    at += plain.length
    fields.push((quoted?.[1] ?? "").replaceAll('""', '"') + plain)
  } while (text[at] === ",")
  return { fields, next: at + 1 }
}

const lineAt = (text: string, from: number): { readonly line: string; readonly next: number } => {
  const end = text.indexOf("\n", from)
  return end < 0
    ? { line: text.slice(from), next: text.length }
    : { line: text.slice(from, end), next: end + 1 }
}

const tsvRow = (text: string, from: number): Row => {
  const { line, next } = lineAt(text, from)
  const [start = "", end = "", ...rest] = line.split("\t")
  return { fields: [start, end, "", rest.join(" ")], next }
}

interface Table {
  readonly row: (text: string, from: number) => Row
  /** Milliseconds of one. */
  readonly unit: number
}

const TABLES: Readonly<Record<"csv" | "tsv", Table>> = {
  csv: { row: csvRow, unit: 1000 },
  tsv: { row: tsvRow, unit: 1 },
}

const cueOf = ({ fields }: Row, unit: number): Cue | null => {
  const [first = "", second = "", name = "", text = ""] = fields
  const start = timeOf(first.trim(), unit)
  const end = timeOf(second.trim(), unit)
  if (start === null || end === null) return null
  const speaker = name.replace(GUARD, "").trim()
  return {
    start,
    end,
    speaker: speaker === "" ? null : speaker,
    lines: tidyLines(text.replace(GUARD, "")),
    words: NO_WORDS,
  }
}

/** Rows of start, end, speaker and text, as an export writes them; those of single words become sentences. */
export function* readTable(format: "csv" | "tsv", text: string, problems: Problems): InTurns<Reading> {
  const { row: rowAt, unit } = TABLES[format]
  const cues: Array<Cue> = []
  for (let at = lineAt(text, 0).next, rows = 1; at < text.length; rows++) {
    if (rows % BLOCKS_IN_A_TURN === 0) yield
    const row = rowAt(text, at)
    const cue = cueOf(row, unit)
    if (cue !== null) cues.push(cue)
    else if (row.fields.some((field) => field.trim() !== "")) problems.add("bad_entry", at)
    if (cue !== null && cue.end < cue.start) problems.add("end_before_start", at)
    at = row.next
  }
  return { cues: joinWords(cues), language: null }
}

/** Words with a pause between them are in two cues, and so are those of a long stretch. */
const LEAST_PAUSE = 500
const MOST_WORDS = 30

const cueOfWords = (words: ReadonlyArray<Word>): Cue => ({
  start: words[0]?.start ?? 0,
  end: words.at(-1)?.end ?? 0,
  speaker: null,
  lines: [joinUnits(words.map(({ text }) => text))],
  words,
})

/** A line for each word with its time, as scoring tools write it. */
export function* readCtm(text: string, problems: Problems): InTurns<Reading> {
  const cues: Array<Cue> = []
  let words: Array<Word> = []
  const close = () => {
    if (words.length > 0) cues.push(cueOfWords(words))
    words = []
  }
  for (let at = 0, lines = 1; at < text.length; lines++) {
    if (lines % BLOCKS_IN_A_TURN === 0) yield
    const { line, next } = lineAt(text, at)
    const [, from = "", length = "", word = "", confidence] = CTM_LINE.exec(line.trimEnd()) ?? []
    const start = timeOf(from, 1000)
    const lasts = timeOf(length, 1000)
    if (start !== null && lasts !== null) {
      const before = words.at(-1)
      if (before !== undefined && (start - before.end >= LEAST_PAUSE || words.length >= MOST_WORDS)) close()
      words.push({
        text: word,
        start,
        end: start + lasts,
        confidence: confidence === undefined ? null : Math.min(1, Number(confidence)),
        speaker: null,
      })
    } else if (line.trim() !== "" && !line.startsWith(";;")) problems.add("bad_entry", at)
    at = next
  }
  close()
  return { cues, language: null }
}
