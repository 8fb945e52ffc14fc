import type { InTurns } from "../../text/inTurns.js"
import type { Cue } from "../../transcripts/Transcript.js"
import { BLOCKS_IN_A_TURN, NO_WORDS, type Problems, type Reading } from "../CaptionFile.js"
import { MAX_TIME, NO_TIME, readLooseStamp } from "../timestamps.js"
import { attribute, readMarkup } from "./markup.js"
import { tidyLines } from "./tidyLines.js"

interface Rates {
  readonly frames: number
  readonly ticks: number
}

const OFFSET = /^(\d+(?:\.\d+)?)(h|m|s|ms|f|t)$/
const FRAMES = /^:(\d+)(?:\.\d+)?$/

const LENGTHS = new Map([
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
])

const lengthOf = (unit: string, { frames, ticks }: Rates): number =>
  LENGTHS.get(unit) ?? 1000 / (unit === "f" ? frames : ticks)

const timeOf = (value: string | null, rates: Rates): number => {
  if (value === null) return NO_TIME
  const text = value.trim()
  const [, amount, unit = ""] = OFFSET.exec(text) ?? []
  if (amount !== undefined) {
    const time = Math.round(Number(amount) * lengthOf(unit, rates))
    return time <= MAX_TIME ? time : NO_TIME
  }
  const cursor = { at: 0 }
  const time = readLooseStamp(text, cursor)
  if (time === NO_TIME || cursor.at === text.length) return time
  const frames = FRAMES.exec(text.slice(cursor.at))?.[1]
  return frames === undefined ? NO_TIME : Math.round(time + (Number(frames) * 1000) / rates.frames)
}

const positive = (value: string | null, otherwise: number): number => {
  const number = Number(value ?? Number.NaN)
  return number > 0 && number < 1e9 ? number : otherwise
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/** TTML and IMSC: the timed paragraphs, with speakers where they name an agent. Layout and style are left out. */
export function* readTtml(source: string, problems: Problems): InTurns<Reading> {
  const cues: Array<Cue> = []
  const agents = new Map<string, string>()
  let rates: Rates = { frames: 30, ticks: 1 }
  let language: string | null = null
  let agent: string | null = null
  let paragraph: { readonly start: number; readonly end: number; readonly speaker: string | null } | null =
    null
  let text = ""

  let blocks = 0
  for (const markup of readMarkup(source)) {
    blocks++
    if (blocks % BLOCKS_IN_A_TURN === 0) yield
    if (markup.kind === "text") {
      text += markup.text
      continue
    }
    const name = localName(markup.name)
    const opening = markup.kind === "open"
    if (name === "br" && opening) text += "\n"
    else if (name === "tt" && opening) {
      const frames = positive(attribute(markup.attributes, "frameRate"), 30)
      rates = { frames, ticks: positive(attribute(markup.attributes, "tickRate"), frames) }
      language = attribute(markup.attributes, "lang") || null
    } else if (name === "agent") agent = opening ? attribute(markup.attributes, "id") : null
    else if (name === "name" && opening) text = ""
    else if (name === "name" && agent !== null && text.trim() !== "") agents.set(agent, text.trim())
    else if (name === "p" && opening) {
      paragraph = paragraphOf(markup.attributes, rates, agents)
      if (paragraph === null) problems.add("bad_timing", markup.at)
      text = ""
    } else if (name === "p" && paragraph !== null) {
      cues.push({ ...paragraph, lines: tidyLines(text.replace(/[^\S\n]+/g, " ")), words: NO_WORDS })
      paragraph = null
    }
  }
  return { cues, language }
}

const paragraphOf = (attributes: string, rates: Rates, agents: ReadonlyMap<string, string>) => {
  const start = timeOf(attribute(attributes, "begin"), rates)
  const duration = timeOf(attribute(attributes, "dur"), rates)
  const end = duration === NO_TIME ? timeOf(attribute(attributes, "end"), rates) : start + duration
  const agent = attribute(attributes, "agent")
  if (start === NO_TIME || end === NO_TIME) return null
  return { start, end, speaker: agent === null ? null : (agents.get(agent) ?? agent) }
}
