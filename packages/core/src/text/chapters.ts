import { titlesOf } from "./keyPhrases.js"
import { type Sentence, sentencesOf } from "./sentences.js"
import type { Transcript } from "./Transcript.js"
import { type ChapterLimits, chapterLimits, topicBoundaries } from "./topicBoundaries.js"
import { topicTermsOf } from "./topicTerms.js"

/** A part of a recording about one thing. Times in milliseconds. */
export interface Chapter {
  readonly start: number
  readonly end: number
  readonly title: string
}

/** Shorter recordings are one chapter. */
const SHORTEST_DIVIDED = 300_000
/** How far a boundary may move to the longest pause nearby, in sentences, and how much longer that pause must be. */
const SNAP_SENTENCES = 2
const SNAP_LONGER = 500

const pauseBefore = (sentences: ReadonlyArray<Sentence>, at: number) =>
  (sentences[at]?.start ?? 0) - (sentences[at - 1]?.end ?? 0)

/** The sentence nearby at which a chapter may begin: one that opens a segment, after the longest pause. */
const snapped = (sentences: ReadonlyArray<Sentence>, boundary: number) => {
  const opens = (at: number) => at > 0 && sentences[at]?.opensSegment === true
  let best: number | undefined = opens(boundary) ? boundary : undefined
  for (let distance = 1; distance <= SNAP_SENTENCES; distance++) {
    for (const at of [boundary - distance, boundary + distance]) {
      if (!opens(at)) continue
      if (best === undefined || pauseBefore(sentences, at) > pauseBefore(sentences, best) + SNAP_LONGER)
        best = at
    }
  }
  return best
}

const ascending = (boundaries: ReadonlyArray<number | undefined>) => {
  const kept: Array<number> = []
  for (const at of boundaries) if (at !== undefined && at > (kept.at(-1) ?? 0)) kept.push(at)
  return kept
}

/**
 * Chapters of a transcript, found from its words alone. The first begins at 0, each of the others at the start of a segment,
 * the last ends with the recording; titles are words that were said. A transcript without text has none.
 */
export const chaptersOf = (
  { segments, duration, language }: Transcript,
  limits: ChapterLimits = chapterLimits,
): ReadonlyArray<Chapter> => {
  const sentences = sentencesOf(segments)
  if (sentences.length === 0) return []
  const texts = sentences.map(({ text }) => text)
  const terms = topicTermsOf(texts, language)
  const spoken = sentences.reduce((latest, { end }) => Math.max(latest, end), 0)
  const length = Math.max(duration, spoken)
  const found = length < SHORTEST_DIVIDED ? [] : topicBoundaries(terms, sentences, limits)
  const starts = [0, ...ascending(found.map((boundary) => snapped(sentences, boundary)))]
  const groups = starts.map((from, index) => {
    const to = starts[index + 1] ?? sentences.length
    return Array.from({ length: to - from }, (_, offset) => from + offset)
  })
  const titles = titlesOf(groups, texts, terms)
  const times = starts.map((at, index) =>
    index === 0 ? 0 : (segments[sentences[at]?.segment ?? 0]?.start ?? 0),
  )
  return titles.map((title, index) => ({
    start: times[index] ?? 0,
    end: times[index + 1] ?? length,
    title,
  }))
}
