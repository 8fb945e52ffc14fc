/** Recordings in which each person has a channel: what was heard of each channel becomes one transcript. */
import { endsSentence } from "../text/sentences.js"
import { linesOf, type SegmentLimits, segmentLimits, trimmedWords } from "./assemble.js"
import { segmentOf } from "./segmentOf.js"
import type { Segment, Word } from "./Transcript.js"

/** Where a channel ends its segment once somebody else has spoken since it began: at a pause this long in milliseconds, or a sentence end. */
const GIVES_WAY = 500

/** `Speaker 1` is the first channel, whoever speaks first. */
export const speakerOfChannel = (channel: number): string => `Speaker ${channel + 1}`

/**
 * Where one channel is cut. Whether others speak is asked only at places where a reader would accept a cut, so neither a word that is
 * thrown in nor two who talk at once break a sentence into pieces. `others` are the moments at which words of others begin, ascending.
 */
const utterancesOf = (words: ReadonlyArray<Word>, others: ReadonlyArray<number>) => {
  const utterances: Array<ReadonlyArray<Word>> = []
  let from = 0
  let next = 0
  words.forEach((word, at) => {
    const after = words[at + 1]
    if (after === undefined) return
    const begin = words[from]?.start ?? word.start
    while ((others[next] ?? Number.POSITIVE_INFINITY) < begin) next += 1
    const isInterrupted = (others[next] ?? Number.POSITIVE_INFINITY) < after.start
    if (!isInterrupted || !(endsSentence(word.text) || after.start - word.end >= GIVES_WAY)) return
    utterances.push(words.slice(from, at + 1))
    from = at + 1
  })
  return from < words.length ? [...utterances, words.slice(from)] : utterances
}

/**
 * The segments of a recording whose channels were heard each by itself, by their start; those of different channels may overlap. Words
 * of a channel are in order and keep it, none is lost but empty ones, and all of channel `n` are those of `Speaker n`.
 */
export const joinChannels = (
  channels: ReadonlyArray<{ readonly channel: number; readonly words: ReadonlyArray<Word> }>,
  limits: SegmentLimits = segmentLimits,
): ReadonlyArray<Segment> =>
  channels
    .flatMap(({ channel, words }) => {
      const speaker = speakerOfChannel(channel)
      const own = trimmedWords(words).map((word) => ({ ...word, speaker }))
      const others = channels
        .flatMap((other) => (other.channel === channel ? [] : other.words.map(({ start }) => start)))
        .sort((left, right) => left - right)
      return utterancesOf(own, others).flatMap((utterance) =>
        linesOf({ words: utterance }, limits).map(segmentOf),
      )
    })
    .sort((left, right) => left.start - right.start)
