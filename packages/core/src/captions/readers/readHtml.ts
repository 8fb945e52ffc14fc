import type { InTurns } from "../../text/inTurns.js"
import type { Cue } from "../../transcripts/Transcript.js"
import { BLOCKS_IN_A_TURN, NO_WORDS, type Problems, type Reading } from "../CaptionFile.js"
import { NO_TIME, readLooseStamp } from "../timestamps.js"
import { attribute, readMarkup } from "./markup.js"
import { tidyLines } from "./tidyLines.js"

/** How long a text without an end is taken to last: the pace of brisk speech. */
const MILLISECONDS_PER_CHARACTER = 60
const LEAST_SHOWN = 1000

const timeOf = (text: string): number => {
  const trimmed = text.trim().replace(/^[[(]|[\])]$/g, "")
  const cursor = { at: 0 }
  const time = readLooseStamp(trimmed, cursor)
  return cursor.at === trimmed.length ? time : NO_TIME
}

interface Spoken {
  readonly start: number
  readonly speaker: string | null
  readonly lines: ReadonlyArray<string>
}

/**
 * Transcript pages of `<cite>Name:</cite> <time>0:12</time> <p>text</p>`. They have no ends: a text lasts until the next
 * begins. Several paragraphs under one time belong together.
 */
export function* readHtml(source: string, problems: Problems): InTurns<Reading> {
  const spoken: Array<Spoken> = []
  let language: string | null = null
  let speaker: string | null = null
  let start: number | null = null
  let inside: "cite" | "time" | "p" | null = null
  let text = ""

  const closed = (name: string, at: number): void => {
    if (name === "cite") speaker = text.replace(/\s+/g, " ").trim().replace(/ ?:$/, "") || null
    if (name === "time") {
      const time = timeOf(text)
      if (time === NO_TIME) problems.add("bad_timing", at)
      else start = time
    }
    if (name === "p" && start !== null) {
      const lines = tidyLines(text.replace(/[^\S\n]+/g, " "))
      if (lines.length > 0) spoken.push({ start, speaker, lines })
    }
  }

  let blocks = 0
  for (const markup of readMarkup(source)) {
    blocks++
    if (blocks % BLOCKS_IN_A_TURN === 0) yield
    if (markup.kind === "text") {
      if (inside !== null) text += markup.text
      continue
    }
    const { name } = markup
    if (name === "html" && markup.kind === "open") language = attribute(markup.attributes, "lang") ?? language
    if (name === "br" && markup.kind === "open") text += "\n"
    if (name !== "cite" && name !== "time" && name !== "p") continue
    if (inside !== null) closed(inside, markup.at)
    inside = markup.kind === "open" ? name : null
    text = ""
  }
  if (inside !== null) closed(inside, source.length)
  return { cues: withEnds(spoken), language: language || null }
}

const withEnds = (spoken: ReadonlyArray<Spoken>): Array<Cue> => {
  const merged: Array<{ start: number; speaker: string | null; lines: Array<string> }> = []
  for (const { start, speaker, lines } of spoken) {
    const last = merged.at(-1)
    if (last !== undefined && last.start === start && last.speaker === speaker) last.lines.push(...lines)
    else merged.push({ start, speaker, lines: [...lines] })
  }
  return merged.map((each, index) => {
    const characters = each.lines.join(" ").length
    const estimate = each.start + Math.max(LEAST_SHOWN, characters * MILLISECONDS_PER_CHARACTER)
    const next = merged[index + 1]?.start
    const end = next !== undefined && next > each.start ? next : estimate
    return { start: each.start, end, speaker: each.speaker, lines: each.lines, words: NO_WORDS }
  })
}
