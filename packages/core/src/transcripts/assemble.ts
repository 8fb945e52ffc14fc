import { COLONS, COMMAS } from "../text/punctuation.js"
import { endsSentence } from "../text/sentences.js"
import { segmentOf } from "./segmentOf.js"
import { labelSpeakers } from "./speakerNames.js"
import { speakersOf, type Turn } from "./speakerTurns.js"
import type { Segment, Transcript, Word } from "./Transcript.js"

/** Where segments end, apart from a change of speaker. Times in milliseconds. */
export interface SegmentLimits {
  /** A silence that always ends a segment. */
  readonly pause: number
  /** A sentence end does, once the segment is this long. */
  readonly sentenceCharacters: number
  readonly maxCharacters: number
  readonly maxDuration: number
}

export const segmentLimits: SegmentLimits = {
  pause: 1500,
  sentenceCharacters: 40,
  maxCharacters: 240,
  maxDuration: 20_000,
}

/** What an engine and a diarizer delivered. */
export interface Recognized {
  readonly language: string | null
  /** Length of the media in milliseconds. */
  readonly duration: number
  /** In reading order. Two speakers at once may come one after the other or mixed. */
  readonly words: ReadonlyArray<Word>
  /** Used when there are no words: lines of an engine or a caption file without word times. */
  readonly segments?: ReadonlyArray<Segment>
  /** Empty or absent: the speakers of the words and segments are kept as they are. */
  readonly turns?: ReadonlyArray<Turn>
}

/** The words of one speaker, said in one go. */
interface Utterance {
  readonly speaker: string | null
  readonly words: Array<Word>
  readonly start: number
  end: number
}

/** Whether a speaker who was talked over is still in the same utterance. */
const goesOn = (own: Utterance, current: Utterance, word: Word, pause: number) =>
  own.end > current.start && word.start < current.end && word.start - own.end < pause

/** Runs of one speaker. While two talk at once each one's words stay together instead of alternating word by word. */
const utterancesOf = (words: ReadonlyArray<Word>, limits: SegmentLimits): ReadonlyArray<Utterance> => {
  const utterances: Array<Utterance> = []
  const open = new Map<string | null, Utterance>()
  let current: Utterance | undefined
  for (const word of words) {
    const own: Utterance | undefined = open.get(word.speaker)
    if (
      own !== undefined &&
      (own === current || (current !== undefined && goesOn(own, current, word, limits.pause)))
    ) {
      own.words.push(word)
      own.end = Math.max(own.end, word.end)
      current = own
      continue
    }
    current = { speaker: word.speaker, words: [word], start: word.start, end: word.end }
    utterances.push(current)
    open.set(word.speaker, current)
  }
  return utterances
}

const PART_END = new RegExp(`[${COLONS}${COMMAS}]`, "u")

/** How good a place for a cut the end of a word is. */
const cutValue = (word: Word, next: Word) =>
  Math.max(0, next.start - word.end) +
  (endsSentence(word.text) ? 2000 : PART_END.test(word.text.slice(-1)) ? 400 : 0)

/** After how many words to cut a run that became too long: the best place in its second half. */
const bestCut = (words: ReadonlyArray<Word>): number => {
  let best = words.length
  let bestValue = -1
  for (let at = Math.max(1, words.length >> 1); at < words.length; at++) {
    const [word, next] = [words[at - 1], words[at]]
    const value = word === undefined || next === undefined ? -1 : cutValue(word, next)
    if (value >= bestValue) {
      best = at
      bestValue = value
    }
  }
  return best
}

const charactersOf = (words: ReadonlyArray<Word>) => words.reduce((sum, { text }) => sum + text.length + 1, 0)

/** The lines of what one speaker says in one go. No word is lost. */
export const linesOf = (
  { words }: { readonly words: ReadonlyArray<Word> },
  limits: SegmentLimits,
): ReadonlyArray<ReadonlyArray<Word>> => {
  const lines: Array<ReadonlyArray<Word>> = []
  let line: Array<Word> = []
  let characters = 0
  const close = (length: number) => {
    if (length > 0) lines.push(line.slice(0, length))
    line = line.slice(length)
    characters = charactersOf(line)
  }
  for (const word of words) {
    const last = line.at(-1)
    if (last !== undefined) {
      const isDone = endsSentence(last.text) && characters >= limits.sentenceCharacters
      if (isDone || word.start - last.end >= limits.pause) close(line.length)
    }
    const isTooLong =
      characters + word.text.length > limits.maxCharacters ||
      word.end - (line[0]?.start ?? word.start) > limits.maxDuration
    if (line.length > 0 && isTooLong) {
      line.push(word)
      close(bestCut(line))
    } else {
      line.push(word)
      characters += word.text.length + 1
    }
  }
  close(line.length)
  return lines
}

/** By start, but what one speaker said stays in its order whatever its times say. */
const inReadingOrder = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  const latest = new Map<string | null, number>()
  return segments
    .map((segment) => {
      const key = Math.max(segment.start, latest.get(segment.speaker) ?? segment.start)
      latest.set(segment.speaker, key)
      return { segment, key }
    })
    .sort((a, b) => a.key - b.key)
    .map(({ segment }) => segment)
}

/** The words without blanks around them; empty ones are gone. */
export const trimmedWords = (words: ReadonlyArray<Word>) =>
  words.flatMap((word): ReadonlyArray<Word> => {
    const text = word.text.trim()
    return text === "" ? [] : [text === word.text ? word : { ...word, text }]
  })

const given = <Item extends { readonly speaker: string | null }>(
  items: ReadonlyArray<Item>,
  speakers: ReadonlyArray<string | null>,
): ReadonlyArray<Item> =>
  items.map((item, index) => {
    const speaker = speakers[index] ?? null
    return speaker === item.speaker ? item : { ...item, speaker }
  })

/**
 * Puts a transcript together from words and speaker turns. Segments end at changes of speaker, pauses, sentence ends and a
 * length; no word is lost but empty ones. Without words the lines given are the segments. With turns, speakers are called
 * `Speaker <n>` in order of first appearance; without, they keep the names they came with. Linear in the number of words.
 */
export const assemble = (
  { language, duration, words, segments = [], turns = [] }: Recognized,
  limits: SegmentLimits = segmentLimits,
): Transcript => {
  const spoken = trimmedWords(words)
  const lines =
    spoken.length > 0
      ? utterancesOf(given(spoken, speakersOf(spoken, turns)), limits).flatMap((utterance) =>
          linesOf(utterance, limits).map(segmentOf),
        )
      : given(segments, speakersOf(segments, turns)).filter(({ text }) => text.trim() !== "")
  const ordered = inReadingOrder(lines)
  // Files are never a whole number of milliseconds long.
  return {
    language,
    duration: Math.round(duration),
    segments: turns.length > 0 ? labelSpeakers(ordered) : ordered,
  }
}
