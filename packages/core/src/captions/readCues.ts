import { finished, type InTurns } from "../text/inTurns.js"
import type { Cue } from "../transcripts/Transcript.js"
import { Problems, type Reading } from "./CaptionFile.js"
import { readSrt } from "./readers/readSrt.js"
import { readVtt, type StampedReading } from "./readers/readVtt.js"
import { withSpeakersFromPrefixes } from "./readers/speakerPrefixes.js"
import { wordsOfPieces } from "./readers/stampedWords.js"
import { undoRolling } from "./readers/undoRolling.js"

type SubtitleFormat = "vtt" | "srt"

/** In a file with stamps a cue of one word needs none: the word lasts as long as the cue. */
const withWords = ({ cues, language, pieces }: StampedReading): Reading => {
  if (pieces.size === 0) return { cues, language }
  const timed = cues.map((cue, index): Cue => {
    const stamped = pieces.get(index)
    if (stamped !== undefined) return { ...cue, words: wordsOfPieces(stamped, cue) }
    const [line = "", ...others] = cue.lines
    if (line === "" || others.length > 0 || /\s/.test(line)) return cue
    return { ...cue, words: wordsOfPieces([{ line: 0, start: cue.start, text: line }], cue) }
  })
  return { cues: timed, language }
}

/** WebVTT or SubRip; what is broken in it becomes problems. */
export function* readSubtitles(format: SubtitleFormat, text: string, problems: Problems): InTurns<Reading> {
  const reading =
    format === "vtt"
      ? yield* readVtt(text, problems)
      : { ...(yield* readSrt(text, problems)), pieces: new Map() }
  yield
  const unrolled = undoRolling(reading)
  if (format === "srt") return unrolled
  yield
  return withWords(unrolled)
}

/**
 * The cues of a file that is known to be WebVTT or SubRip, as `readCaptions` reads them, without the code for all other formats:
 * for previews in a browser. `names` is that of `readCaptions`.
 */
export const readCues = (
  text: string,
  format: SubtitleFormat,
  { names }: { readonly names?: "in_text" } = {},
): ReadonlyArray<Cue> => {
  const { cues } = finished(readSubtitles(format, text, new Problems(text)))
  return names === "in_text" ? cues : finished(withSpeakersFromPrefixes(cues))
}
