import type { InTurns } from "../../text/inTurns.js"
import type { Cue } from "../../transcripts/Transcript.js"
import { BLOCKS_IN_A_TURN, NO_WORDS, type Problems, type Reading } from "../CaptionFile.js"
import { NO_TIME } from "../timestamps.js"
import { type JsonRecord, listOf, recordOf, textOf, timeOf } from "./jsonValues.js"
import { type Piece, wordsOfPieces } from "./stampedWords.js"
import { tidyLines } from "./tidyLines.js"

/** YouTube's json3: rows that append are line feeds of the rolling window only; offsets in a row are word times. */
export function* readYoutubeJson(root: JsonRecord, problems: Problems): InTurns<Reading> {
  const cues: Array<Cue> = []
  for (const [index, value] of listOf(root.events).entries()) {
    if (index % BLOCKS_IN_A_TURN === BLOCKS_IN_A_TURN - 1) yield
    const event = recordOf(value)
    if (!Array.isArray(event.segs) || event.aAppend === 1) continue
    const start = timeOf(event.tStartMs, "milliseconds")
    if (start === NO_TIME) {
      problems.add("bad_entry")
      continue
    }
    const end = start + Math.max(0, timeOf(event.dDurationMs, "milliseconds"))
    const pieces = event.segs.map((segment) => pieceOf(recordOf(segment), start))
    const lines = tidyLines(pieces.map((piece) => piece.text).join(""))
    if (lines.length === 0) continue
    const stamped = pieces.some((piece) => piece.start > start)
    const words = stamped ? wordsOfPieces(pieces, { start, end, speaker: null }) : NO_WORDS
    cues.push({ start, end, speaker: null, lines, words })
  }
  return { cues: withoutOverlap(cues), language: null }
}

const pieceOf = (segment: JsonRecord, start: number): Piece => ({
  line: 0,
  start: start + Math.max(0, timeOf(segment.tOffsetMs, "milliseconds")),
  text: textOf(segment.utf8),
})

/** Rows stay on the screen while the next one is spoken; the speech of a row ends where the next begins. */
const withoutOverlap = (cues: ReadonlyArray<Cue>): Array<Cue> =>
  cues.map((cue, index) => {
    const next = cues[index + 1]?.start
    if (next === undefined || cue.end <= next) return cue
    const end = Math.max(cue.start, next)
    const words = cue.words.map((word) => ({ ...word, end: Math.max(word.start, Math.min(word.end, end)) }))
    return { ...cue, end, words }
  })
