import * as Either from "effect/Either"
import { NO_TIME, readLooseStamp } from "../captions/timestamps.js"
import { cleanText } from "../text/cleanText.js"
import { counted } from "../text/counted.js"
import { EditableRefused } from "./EditableRefused.js"
import { LONGEST_LINE, LONGEST_SPEAKER } from "./EditOperation.js"

export interface Times {
  readonly start: number
  readonly end: number
}

/** A line of an editable file. */
export interface EditableLine {
  /** Where it stands in the file, counted from 1. */
  readonly number: number
  /** Null after `[+]`: the times follow the words. */
  readonly times: Times | null
  readonly speaker: string | null
  readonly text: string
}

const EXAMPLE = "[00:00:12.340 - 00:00:15.900 Ann] We met in Berlin."

const HOW = `Write it like this: ${EXAMPLE}`

const LINE_BREAK = /\r\n|\n|\r/

const QUOTED = /^"(?:[^"\\]|\\.)*"/

/** The times of another line, as a file has them: two lines were joined, and its times forgotten. */
const TIMES_WITHIN = /\[\d\d+:\d\d:\d\d\.\d{3} - \d\d+:\d\d:\d\d\.\d{3}[ \]]/

/** What stands in square brackets, and the text behind it. */
interface Parts {
  readonly times: Times | null
  readonly speaker: string | null
  readonly text: string
}

const refuse = (number: number, detail: string) => Either.left(new EditableRefused({ line: number, detail }))

const skipSpaces = (text: string, from: number): number => {
  let at = from
  while (text[at] === " " || text[at] === "\t") at += 1
  return at
}

const DASHES = "-–—"

const timesIn = (line: string): { readonly times: Times | null; readonly at: number } | null => {
  const from = skipSpaces(line, 1)
  if (line[from] === "+") return { times: null, at: from + 1 }
  const cursor = { at: from }
  const start = readLooseStamp(line, cursor)
  cursor.at = skipSpaces(line, cursor.at)
  if (start === NO_TIME || !DASHES.includes(line[cursor.at] ?? " ")) return null
  cursor.at = skipSpaces(line, cursor.at + 1)
  const end = readLooseStamp(line, cursor)
  return end === NO_TIME ? null : { times: { start, end }, at: cursor.at }
}

const unquoted = (quoted: string): string | null => {
  try {
    const name: unknown = JSON.parse(quoted)
    return typeof name === "string" ? name : null
  } catch {
    return null
  }
}

const partsOf = (line: string): Parts | null => {
  const found = timesIn(line)
  if (found === null) return null
  const { times, at } = found
  const from = skipSpaces(line, at)
  const quoted = QUOTED.exec(line.slice(from))?.[0]
  const close = line.indexOf("]", from + (quoted?.length ?? 0))
  // A speaker stands apart from the times.
  if (close < 0 || (from === at && close > from)) return null
  const text = cleanText(line.slice(close + 1))
  if (quoted === undefined) return { times, speaker: cleanText(line.slice(from, close)) || null, text }
  const speaker = unquoted(quoted)
  return speaker === null || line.slice(from + quoted.length, close).trim() !== ""
    ? null
    : { times, speaker: cleanText(speaker), text }
}

const lineOf = (
  given: string,
  number: number,
  above: EditableLine | undefined,
  isKnown: (kept: string) => boolean,
): Either.Either<EditableLine, EditableRefused> => {
  if (!given.startsWith("[")) return refuse(number, `There is no time in front of the text. ${HOW}`)
  const parts = partsOf(given)
  if (parts === null) return refuse(number, `The times or the speaker in [...] cannot be read. ${HOW}`)
  const { times, text } = parts
  if (times === null && above === undefined)
    return refuse(
      number,
      "[+] continues the line above, but this is the first line. Write its times instead.",
    )
  const speaker = parts.speaker ?? (times === null ? (above?.speaker ?? null) : null)
  if (speaker !== null && speaker.length > LONGEST_SPEAKER && !isKnown(speaker))
    return refuse(number, `The name of a speaker may have ${counted(LONGEST_SPEAKER, "character")}.`)
  if (text.length > LONGEST_LINE && !isKnown(text))
    return refuse(
      number,
      `The text has ${counted(text.length, "character")}; a line may have ${counted(LONGEST_LINE, "character")}.`,
    )
  if (TIMES_WITHIN.test(text) && !isKnown(text))
    return refuse(
      number,
      "There are times within the text. Delete them to join the lines, or begin a new line there.",
    )
  return Either.right({ number, times, speaker, text })
}

/** The lines of an editable file, or the first one that cannot be read. What `isKnown` was there before, however long it is. */
export const readEditableLines = (
  file: string,
  isKnown: (kept: string) => boolean,
): Either.Either<ReadonlyArray<EditableLine>, EditableRefused> => {
  const lines: Array<EditableLine> = []
  for (const [at, raw] of file.split(LINE_BREAK).entries()) {
    // A mark of the byte order counts as white space too.
    const given = raw.trim()
    if (given === "" || given.startsWith("#")) continue
    const line = lineOf(given, at + 1, lines.at(-1), isKnown)
    if (Either.isLeft(line)) return Either.left(line.left)
    lines.push(line.right)
  }
  return Either.right(lines)
}
