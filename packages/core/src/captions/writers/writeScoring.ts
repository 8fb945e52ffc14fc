import { printable } from "../timestamps.js"
import type { Script } from "./Script.js"

const MERGED_SILENCE = 500

/** These formats have no quoting: a field is anything without white space. */
const field = (text: string | null, otherwise: string): string =>
  (text ?? "").replace(/\s+/g, "_") || otherwise

const decimals = (milliseconds: number): string => (printable(milliseconds) / 1000).toFixed(3)

/** The id of the transcript, else its title. */
const recordingOf = ({ id, title }: Script): string => field(id ?? title, "transcript")

/** One line for each word: recording, channel, start, length, word, confidence. */
export function* writeCtm(script: Script): Generator<string> {
  const recording = recordingOf(script)
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

const longer = (turn: Turn, end: number): Turn => ({ ...turn, end: Math.max(turn.end, end) })

const goesOn = (turn: Turn, next: Turn): boolean =>
  turn.speaker === next.speaker && next.start >= turn.start && next.start - turn.end <= MERGED_SILENCE

/** One line for each turn: who speaks from when for how long. Segments without a speaker count as one more. */
export function* writeRttm(script: Script): Generator<string> {
  const recording = recordingOf(script)
  const line = ({ speaker, start, end }: Turn) =>
    `SPEAKER ${recording} 1 ${decimals(start)} ${decimals(Math.max(1, end - start))} <NA> <NA> ${field(speaker, "unknown")} <NA> <NA>\n`
  let open: Turn | null = null
  for (const segment of script.segments) {
    if (segment.text === "") continue
    if (open !== null && goesOn(open, segment)) open = longer(open, segment.end)
    else {
      if (open !== null) yield line(open)
      open = { speaker: segment.speaker, start: segment.start, end: segment.end }
    }
  }
  if (open !== null) yield line(open)
}
