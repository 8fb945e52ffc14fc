import { printable } from "../timestamps.js"
import type { Script } from "./Script.js"

const MERGED_SILENCE = 500

/** These formats have no quoting: a field is anything without white space. */
const field = (text: string | null, otherwise: string): string => (text ?? "").replace(/\s+/g, "_") || otherwise

const decimals = (milliseconds: number): string => (printable(milliseconds) / 1000).toFixed(3)

/** One line for each word: recording, channel, start, length, word, confidence. */
export function* writeCtm(script: Script): Generator<string> {
  const recording = field(script.id, "transcript")
  for (const segment of script.segments) {
    for (const word of segment.words) {
      const confidence = word.confidence === null ? "" : ` ${word.confidence.toFixed(3)}`
      const length = Math.max(1, word.end - word.start)
      yield `${recording} 1 ${decimals(word.start)} ${decimals(length)} ${field(word.text, "_")}${confidence}\n`
    }
  }
}

interface Turn {
  readonly speaker: string | null
  readonly start: number
  readonly end: number
}

/** One line for each turn: who speaks from when for how long. Segments without a speaker count as one more. */
export function* writeRttm(script: Script): Generator<string> {
  const recording = field(script.id, "transcript")
  const line = ({ speaker, start, end }: Turn) =>
    `SPEAKER ${recording} 1 ${decimals(start)} ${decimals(Math.max(1, end - start))} <NA> <NA> ${field(speaker, "unknown")} <NA> <NA>\n`
  let open: Turn | null = null
  for (const { speaker, start, end, text } of script.segments) {
    if (text === "") continue
    if (open !== null && open.speaker === speaker && start >= open.start && start - open.end <= MERGED_SILENCE) {
      open = { ...open, end: Math.max(open.end, end) }
      continue
    }
    if (open !== null) yield line(open)
    open = { speaker, start, end }
  }
  if (open !== null) yield line(open)
}
