import type { InTurns } from "../../text/inTurns.js"
import { joinUnits } from "../../text/units.js"
import type { Cue, Word } from "../../transcripts/Transcript.js"
import { BLOCKS_IN_A_TURN, type Problems, type Reading } from "../CaptionFile.js"

const LINE = /^(\d{2,4}):(\d\d):(\d\d)\.(\d{3}) (.+)$/
const SPEAKER = /^(.{1,100}):$/
/** No other format has lines that begin with a time and go on with text. */
const HEAD = /^\d{2,4}:\d\d:\d\d\.\d{3} [^\s\-=–—→]/m
/** How long a word lasts at most, since only its begin is written. */
const LONGEST_WORD = 1000

export const isTimedText = (head: string): boolean => HEAD.test(head)

/** Each word lasts until the next one begins. */
const withEnds = (words: ReadonlyArray<Word>, next: number | undefined): ReadonlyArray<Word> =>
  words.map((word, index) => {
    const following = words[index + 1]?.start ?? next ?? Number.POSITIVE_INFINITY
    return { ...word, end: Math.max(word.start, Math.min(following, word.start + LONGEST_WORD)) }
  })

const cueOf = (words: ReadonlyArray<Word>, speaker: string | null): Cue => ({
  start: words[0]?.start ?? 0,
  end: words.at(-1)?.end ?? 0,
  speaker,
  lines: [joinUnits(words.map(({ text }) => text))],
  words,
})

/** Plain text with a time before each word, as an export writes it: paragraphs, and the name of the speaker before each turn. */
export function* readTimedText(text: string, problems: Problems): InTurns<Reading> {
  const cues: Array<Cue> = []
  let words: Array<Word> = []
  let speaker: string | null = null
  const close = (next?: number) => {
    if (words.length > 0) cues.push(cueOf(withEnds(words, next), speaker))
    words = []
  }
  /** The speaker of the paragraph that comes next. */
  let following: string | null = null
  let isBroken = false
  for (let at = 0, lines = 1; at < text.length; lines++) {
    if (lines % BLOCKS_IN_A_TURN === 0) yield
    const end = text.indexOf("\n", at)
    const line = text.slice(at, end < 0 ? text.length : end).trimEnd()
    const [, hours, minutes, seconds, rest, word] = LINE.exec(line) ?? []
    const name = SPEAKER.exec(line)?.[1]
    if (word !== undefined) {
      const start = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest)
      if (isBroken) close(start)
      if (isBroken) speaker = following
      isBroken = false
      words.push({ text: word, start, end: start, confidence: null, speaker })
    } else if (name !== undefined) {
      following = name
      isBroken = true
    } else if (line === "") isBroken = true
    else problems.add("bad_entry", at)
    at = end < 0 ? text.length : end + 1
  }
  close()
  return { cues, language: null }
}
