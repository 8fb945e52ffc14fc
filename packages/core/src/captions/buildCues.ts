import { cleanText } from "../text/cleanText.js"
import { cellWidth } from "../text/graphemes.js"
import { baseLanguage } from "../text/languages.js"
import { repairWords } from "../transcripts/repairWords.js"
import type { Cue, Word } from "../transcripts/Transcript.js"
import { breakTurn, type CueBreak } from "./breakTurn.js"
import type { CaptionProfile } from "./CaptionProfile.js"
import { gatherUnits, momentOf, type Turn } from "./gatherUnits.js"
import { at, emptyUnits, lineText, type TurnUnits } from "./TurnUnits.js"
import { traitsReader } from "./traits.js"
import { weighBoundaries } from "./weighBoundaries.js"
import { yieldTurns } from "./yieldTurns.js"

const NO_NAMES: ReadonlyMap<number, string> = new Map()

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

const turnEnd = (words: ReadonlyArray<Word>, from: number, names: ReadonlyMap<number, string>): number => {
  const speaker = words[from]?.speaker
  let to = from + 1
  while (to < words.length && words[to]?.speaker === speaker && !names.has(to)) to++
  return to
}

/** Names to write before what is said. */
export interface NamesInText {
  /** The name of each speaker as it is shown. */
  readonly shown: ReadonlyMap<string, string>
  /** Who spoke before the words. */
  readonly before: string | null
}

/** Before which words a name is written: where another speaker begins, or after the words that no line has room for beside the name. */
const namesBefore = (
  words: ReadonlyArray<Word>,
  { shown, before }: NamesInText,
  { maxCharsPerLine, maxLines }: CaptionProfile,
): ReadonlyMap<number, string> => {
  const names = new Map<number, string>()
  let named = before
  for (const [index, { speaker, text }] of words.entries()) {
    if (speaker === named) continue
    const name = shown.get(speaker ?? "")
    const prefix = name === undefined ? "" : `${name}: `
    const isTooWide = maxLines === 1 && cellWidth(prefix) + cellWidth(text) > maxCharsPerLine
    if (prefix !== "" && isTooWide) continue
    named = speaker
    if (prefix !== "") names.set(index, prefix)
  }
  return names
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
export const cuesByTurn = (
  words: ReadonlyArray<Word>,
  options: CueOptions,
): Generator<ReadonlyArray<Cue>, void> => namedCuesByTurn(words, options, null)

/** `cuesByTurn` with the names of the speakers in the lines, so that the lines have room for them. */
export function* namedCuesByTurn(
  words: ReadonlyArray<Word>,
  options: CueOptions,
  namesInText: NamesInText | null,
): Generator<ReadonlyArray<Cue>, void> {
  const { profile } = options
  const language = options.language === undefined ? profile.language : baseLanguage(options.language)
  const gathering = { traitsOf: traitsReader(language), language, columns: profile.maxCharsPerLine }
  const spoken = yieldTurns(repairWords(spokenWords(words)), profile.minDuration)
  const names = namesInText === null ? NO_NAMES : namesBefore(spoken, namesInText, profile)
  const ready =
    names.size === 0
      ? spoken
      : spoken.map((word, index) => {
          const prefix = names.get(index)
          return prefix === undefined ? word : { ...word, text: `${prefix}${word.text}` }
        })
  const units = emptyUnits()
  let floor = 0
  for (let from = 0; from < ready.length; ) {
    const to = turnEnd(ready, from, names)
    const turn = { words: ready, from, to, nameLength: names.get(from)?.length ?? 0 }
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
