/** Somebody who is heard quietly in the channel of somebody else: the words are in both, and belong to the louder one. */
import { keyOf } from "./joinAtSeam.js"
import { type Span, sortedByStart, united, without } from "./spans.js"
import type { Word } from "./Transcript.js"

/** A word that another channel has at the same time is an echo when it is quieter here by so many decibels. */
const QUIETER = 6
/** Among echoes a word that no other channel has is a misheard one, when it is quieter here by so many. */
const MUCH_QUIETER = 12
/** How far apart in milliseconds the same word may lie in two channels. */
const APART = 300
/** A pause that ends a run of words. */
const PAUSE = 800
/** So many echoes for each word that may be a misheard one. */
const MOSTLY = 4
/** Voice is compared in pieces of this length. */
const PIECE = 500

/** What was heard of one channel. Words are in order. */
export interface HeardChannel {
  /** Counted from 0. */
  readonly channel: number
  readonly words: ReadonlyArray<Word>
}

/** Loudness of a channel between two moments in milliseconds, in decibels. */
export type LevelAt = (channel: number, start: number, end: number) => number

/** For words in order of time: those of others that lie near each. Nobody says a word for longer than two seconds. */
const nearby = (words: ReadonlyArray<Word>) => {
  const ordered = sortedByStart(words)
  let first = 0
  return ({ start, end }: Word): ReadonlyArray<Word> => {
    while ((ordered[first]?.start ?? Number.POSITIVE_INFINITY) < start - 2000) first += 1
    const found: Array<Word> = []
    for (let at = first; at < ordered.length; at++) {
      const word = ordered[at]
      if (word === undefined || word.start > end + APART) break
      if (word.end >= start - APART) found.push(word)
    }
    return found
  }
}

type Verdict = "own" | "echo" | "unsure"

/** What a word is by itself: an echo, its own, or so much quieter than another channel that its neighbours decide. */
const verdictsOf = (
  { channel, words }: HeardChannel,
  others: ReadonlyArray<HeardChannel>,
  levelAt: LevelAt,
): ReadonlyArray<Verdict> => {
  const around = others.map((other) => ({ channel: other.channel, near: nearby(other.words) }))
  return words.map((word) => {
    const { start, end } = word
    const key = keyOf(word)
    const level = levelAt(channel, start, end)
    let verdict: Verdict = "own"
    for (const other of around) {
      const found = other.near(word)
      if (found.length === 0) continue
      const louder = levelAt(other.channel, start, end) - level
      if (louder >= QUIETER && key !== "" && found.some((twin) => keyOf(twin) === key)) return "echo"
      if (louder >= MUCH_QUIETER) verdict = "unsure"
    }
    return verdict
  })
}

/**
 * The words that are echoes. In a run of words that are no one's own, misheard ones go with the echoes when these are half of it; and
 * wherever they are in a channel in which hardly anything is heard but echoes.
 */
const echoesIn = (words: ReadonlyArray<Word>, verdicts: ReadonlyArray<Verdict>): ReadonlySet<Word> => {
  const counted = (verdict: Verdict) => verdicts.filter((each) => each === verdict).length
  const isMostlyEchoes = counted("echo") >= MOSTLY * counted("unsure")
  const echoes = new Set<Word>()
  let run: Array<number> = []
  const close = () => {
    const certain = run.filter((at) => verdicts[at] === "echo")
    const all = isMostlyEchoes || 2 * certain.length >= run.length ? run : certain
    for (const at of all) {
      const word = words[at]
      if (word !== undefined) echoes.add(word)
    }
    run = []
  }
  words.forEach((word, at) => {
    const before = words[at - 1]
    if (before !== undefined && word.start - before.end >= PAUSE) close()
    if (verdicts[at] === "own") close()
    else run.push(at)
  })
  close()
  return echoes
}

/**
 * The channels without the words that belong to a louder one: the same word at the same time, and what was misheard beside it. A word
 * whose channel is as loud as the others is never taken away, so two who say the same at once keep their words.
 */
export const removeEchoes = <Channel extends HeardChannel>(
  channels: ReadonlyArray<Channel>,
  levelAt: LevelAt,
): ReadonlyArray<Channel & { readonly echoes: ReadonlyArray<Word> }> =>
  channels.map((heard) => {
    const others = channels.filter(({ channel }) => channel !== heard.channel)
    const echoes = echoesIn(heard.words, verdictsOf(heard, others, levelAt))
    return {
      ...heard,
      words: heard.words.filter((word) => !echoes.has(word)),
      echoes: heard.words.filter((word) => echoes.has(word)),
    }
  })

const piecesOf = ({ start, end }: Span): ReadonlyArray<Span> => {
  const pieces: Array<Span> = []
  for (let from = start; from < end; from += PIECE)
    pieces.push({ start: from, end: Math.min(end, from + PIECE) })
  return pieces
}

/** The voice of a channel without the stretches that are the voice of another one, heard quietly. */
export const ownVoice = (
  channel: number,
  spans: ReadonlyArray<Span>,
  {
    others,
    echoes,
    levelAt,
  }: {
    readonly others: ReadonlyArray<number>
    readonly echoes: ReadonlyArray<Span>
    readonly levelAt: LevelAt
  },
): ReadonlyArray<Span> => {
  const isOwn = ({ start, end }: Span) => {
    const level = levelAt(channel, start, end)
    return others.every((other) => levelAt(other, start, end) - level < MUCH_QUIETER)
  }
  const voice = united(spans)
  const own = voice.flatMap((span) => united(piecesOf(span).filter(isOwn), 1))
  const removed = united(echoes.map(({ start, end }) => ({ start: start - APART, end: end + APART })))
  // Slivers that are left of a stretch say nothing.
  const ends = new Map(voice.map(({ start, end }) => [start, end]))
  return without(own, removed).filter(({ start, end }) => end - start >= PIECE || ends.get(start) === end)
}
