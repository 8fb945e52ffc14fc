import type { InTurns } from "../../text/inTurns.js"
import type { Cue, Word } from "../../transcripts/Transcript.js"
import { BLOCKS_IN_A_TURN, NO_WORDS, type Problems, type Reading } from "../CaptionFile.js"
import { NO_TIME, readLooseStamp } from "../timestamps.js"
import { tidyLines } from "./tidyLines.js"

const DEFAULT_FIELDS = [
  "layer",
  "start",
  "end",
  "style",
  "name",
  "marginl",
  "marginr",
  "marginv",
  "effect",
  "text",
]
const MAX_FIELDS = 32
const OVERRIDE = /\{[^{}]*\}/g
const DRAWING = /\\p(\d)/
const LINE_BREAK = /\\[Nn]/g
const HARD_SPACE = /\\h/g
/** What our writer puts after a backslash or brace that was spoken. */
const GUARD = /(?<=[\\{])\u2060/g

const timeOf = (value: string): number => {
  const text = value.trim()
  const cursor = { at: 0 }
  const time = readLooseStamp(text, cursor)
  return cursor.at === text.length ? time : NO_TIME
}

/** Text without the outlines of pictures, which stand between a tag such as `{\p1}` and `{\p0}`, or the end. */
const withoutDrawings = (text: string): string => {
  let [kept, at, isDrawing] = ["", 0, false]
  for (const { 0: tag, index } of text.matchAll(OVERRIDE)) {
    if (!isDrawing) kept += text.slice(at, index)
    const scale = DRAWING.exec(tag)?.[1]
    if (scale !== undefined) isDrawing = scale !== "0"
    // A tag stays: those of karaoke are read later.
    kept += tag
    at = index + tag.length
  }
  return isDrawing ? kept : kept + text.slice(at)
}

const plain = (text: string): string =>
  text.replace(OVERRIDE, "").replace(LINE_BREAK, "\n").replace(HARD_SPACE, " ").replace(GUARD, "")

/** Karaoke tags give each syllable its length in centiseconds; only whole words are kept. */
const karaokeWords = (text: string, start: number, speaker: string | null): ReadonlyArray<Word> => {
  const words: Array<Word> = []
  let at = start
  for (const part of text.split(/(?=\{\\[kK][fo]?\d)/)) {
    const centiseconds = /^\{\\[kK][fo]?(\d{1,6})/.exec(part)?.[1]
    const end = at + Number(centiseconds ?? 0) * 10
    const said = plain(part).replace(/\s+/g, " ").trim()
    if (said !== "" && centiseconds !== undefined)
      words.push({ text: said, start: at, end, confidence: null, speaker })
    at = end
  }
  return words
}

/** Advanced SubStation Alpha: its dialogue lines, without styles and effects. */
export function* readAss(text: string, problems: Problems): InTurns<Reading> {
  const cues: Array<Cue> = []
  let fields: ReadonlyArray<string> = DEFAULT_FIELDS
  let inEvents = false
  let at = 0
  for (let blocks = 1; at < text.length; blocks++) {
    if (blocks % BLOCKS_IN_A_TURN === 0) yield
    let end = text.indexOf("\n", at)
    if (end < 0) end = text.length
    const line = text.slice(at, end)
    if (line.startsWith("[")) inEvents = /^\[events\]/i.test(line)
    else if (inEvents && /^format:/i.test(line))
      fields = line
        .slice(7)
        .split(",", MAX_FIELDS)
        .map((field) => field.trim().toLowerCase())
    else if (/^dialogue:/i.test(line)) {
      const cue = readDialogue(line.slice(9), fields)
      if (cue === null) problems.add("bad_timing", at)
      else {
        if (cue.end <= cue.start) problems.add("end_before_start", at)
        cues.push(cue)
      }
    }
    at = end + 1
  }
  return { cues: cues.sort((left, right) => left.start - right.start), language: null }
}

const readDialogue = (line: string, fields: ReadonlyArray<string>): Cue | null => {
  const values = new Map<string, string>()
  let rest = line
  for (const [index, field] of fields.entries()) {
    const comma = index === fields.length - 1 ? -1 : rest.indexOf(",")
    values.set(field, comma < 0 ? rest : rest.slice(0, comma))
    rest = comma < 0 ? "" : rest.slice(comma + 1)
  }
  const start = timeOf(values.get("start") ?? "")
  const end = timeOf(values.get("end") ?? "")
  if (start === NO_TIME || end === NO_TIME) return null
  const written = values.get("text") ?? ""
  const text = written.includes("\\p") ? withoutDrawings(written) : written
  const speaker = (values.get("name") ?? values.get("actor") ?? "").trim() || null
  const words = /\{\\[kK]/.test(text) ? karaokeWords(text, start, speaker) : NO_WORDS
  return { start, end, speaker, lines: tidyLines(plain(text)), words }
}
