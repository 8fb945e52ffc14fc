import { cleanText } from "../text/cleanText.js"
import { repairWords } from "../transcripts/repairWords.js"
import type { Cue, Word } from "../transcripts/Transcript.js"
import { breakTurn, type CueBreak } from "./breakTurn.js"
import type { CaptionProfile } from "./CaptionProfile.js"
import { gatherUnits, momentOf, type Turn } from "./gatherUnits.js"
import { baseLanguage } from "./languages.js"
import { at, emptyUnits, lineText, type TurnUnits } from "./TurnUnits.js"
import { traitsReader } from "./traits.js"
import { weighBoundaries } from "./weighBoundaries.js"
import { yieldTurns } from "./yieldTurns.js"

export interface CueOptions {
  readonly profile: CaptionProfile
  /** Language of the words; the profile's own when left out. */
  readonly language?: string | null | undefined
  /** When what follows the words starts, or the media ends. It shortens silence, never speech. */
  readonly until?: number | undefined
}

/** The words with clean text. Words without any text are the only ones that are ever dropped. */
const spokenWords = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const spoken: Array<Word> = []
  for (const word of words) {
    const text = cleanText(word.text)
    if (text !== "") spoken.push(text === word.text ? word : { ...word, text })
  }
  return spoken
}

const turnEnd = (words: ReadonlyArray<Word>, from: number): number => {
  const speaker = words[from]?.speaker
  let to = from + 1
  while (to < words.length && words[to]?.speaker === speaker) to++
  return to
}

/** The words a cue shows; a word that goes on in another cue is there with its part only. */
const shownWords = (units: TurnUnits, turn: Turn, from: number, to: number): ReadonlyArray<Word> => {
  const isEnd = to >= units.count
  const firstWord = at(units.words, from)
  const firstOffset = at(units.offsets, from)
  const lastWord = isEnd ? turn.to : at(units.words, to)
  const lastOffset = isEnd ? 0 : at(units.offsets, to)
  const shown = turn.words.slice(firstWord, lastOffset > 0 ? lastWord + 1 : lastWord)
  if (lastOffset > 0) replacePart(shown, shown.length - 1, 0, lastOffset)
  if (firstOffset > 0) replacePart(shown, 0, firstOffset, turn.words[firstWord]?.text.length ?? 0)
  return shown
}

const replacePart = (words: Array<Word>, index: number, from: number, to: number) => {
  const word = words[index]
  if (word === undefined) return
  const end = Math.min(to, word.text.length)
  words[index] = {
    ...word,
    text: word.text.slice(from, end).trim(),
    start: momentOf(word, from),
    end: momentOf(word, end),
  }
}

const cueOf = (units: TurnUnits, turn: Turn, cue: CueBreak): Cue => {
  const { from, to, start, end, lineEnds } = cue
  const lines = lineEnds.map((lineEnd, line) =>
    lineText(units, line === 0 ? from : (lineEnds[line - 1] ?? from), lineEnd),
  )
  return {
    start,
    end,
    speaker: turn.words[turn.from]?.speaker ?? null,
    lines,
    words: shownWords(units, turn, from, to),
  }
}

/** The cues of `buildCues`, one turn of a speaker after the other: only the turn at hand is held in memory. */
export function* cuesByTurn(
  words: ReadonlyArray<Word>,
  options: CueOptions,
): Generator<ReadonlyArray<Cue>, void> {
  const { profile } = options
  const language = options.language === undefined ? profile.language : baseLanguage(options.language)
  const gathering = { traitsOf: traitsReader(language), language, columns: profile.maxCharsPerLine }
  const ready = yieldTurns(repairWords(spokenWords(words)), profile.minDuration)
  const units = emptyUnits()
  let floor = 0
  for (let from = 0; from < ready.length; ) {
    const to = turnEnd(ready, from)
    const turn = { words: ready, from, to }
    gatherUnits(units, turn, floor, gathering)
    weighBoundaries(units)
    const last = units.count - 1
    floor = at(units.starts, last) + 1
    const next = ready[to]?.start ?? Math.max(options.until ?? Number.POSITIVE_INFINITY, at(units.ends, last))
    yield breakTurn(units, next, profile).map((cue) => cueOf(units, turn, cue))
    from = to
  }
}

/**
 * Captions for words in reading order: every word once and in order, one speaker to a cue, no two cues at once, lines
 * and times within the profile. Of all ways to cut the words it takes the most readable one, the same one every time.
 */
export const buildCues = (words: ReadonlyArray<Word>, options: CueOptions): ReadonlyArray<Cue> => {
  const cues: Array<Cue> = []
  for (const turn of cuesByTurn(words, options)) for (const cue of turn) cues.push(cue)
  return cues
}
