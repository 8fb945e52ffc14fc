import type { InTurns } from "../../text/inTurns.js"
import type { Cue } from "../../transcripts/Transcript.js"
import { BLOCKS_IN_A_TURN, NO_WORDS, type Problems, type Reading } from "../CaptionFile.js"
import { NO_TIME, readLooseStamp } from "../timestamps.js"
import { tidyLines } from "./tidyLines.js"

const LINE_BREAK = /\[br\]/gi

/** YouTube's own text format: `0:00:01.000,0:00:03.000`, then text up to an empty line. */
export function* readSbv(text: string, problems: Problems): InTurns<Reading> {
  const cues: Array<Cue> = []
  let at = 0
  for (let blocks = 1; at < text.length; blocks++) {
    if (blocks % BLOCKS_IN_A_TURN === 0) yield
    if (text.charCodeAt(at) === 10) {
      at++
      continue
    }
    let end = text.indexOf("\n\n", at)
    if (end < 0) end = text.length
    const cue = readBlock(text.slice(at, end))
    if (cue === null) problems.add("bad_block", at)
    else {
      if (cue.end <= cue.start) problems.add("end_before_start", at)
      cues.push(cue)
    }
    at = end + 1
  }
  return { cues, language: null }
}

const readBlock = (block: string): Cue | null => {
  const cursor = { at: 0 }
  const start = readLooseStamp(block, cursor)
  if (start === NO_TIME || block[cursor.at] !== ",") return null
  cursor.at++
  const end = readLooseStamp(block, cursor)
  if (end === NO_TIME) return null
  const lines = tidyLines(block.slice(cursor.at).replace(LINE_BREAK, "\n"))
  return { start, end, speaker: null, lines, words: NO_WORDS }
}
