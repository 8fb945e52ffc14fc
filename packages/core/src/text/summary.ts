import { type Chapter, chaptersOf } from "./chapters.js"
import { likeness, rankSentences } from "./rankSentences.js"
import { type Sentence, sentencesOf } from "./sentences.js"
import type { Transcript } from "./Transcript.js"
import { topicTermsOf } from "./topicTerms.js"
import { joinUnits } from "./units.js"
import { wordsOf } from "./words.js"

/** Sentences of the transcript that stand for the whole, in spoken order and in the speaker's own words. */
export interface Summary {
  readonly kind: "extractive"
  readonly text: string
  readonly sentences: ReadonlyArray<{
    readonly text: string
    readonly start: number
    readonly end: number
    readonly speaker: string | null
  }>
}

export interface SummaryOptions {
  /** How many sentences; by default 3 to 15, with the length of the recording. */
  readonly sentences?: number
  /** When they are already known. */
  readonly chapters?: ReadonlyArray<Chapter>
}

const FEWEST_WORDS = 8
const MOST_WORDS = 35
/** Ranking is quadratic, so never more than this at once. */
const BLOCK_SENTENCES = 400
/** Candidates that a block sends on: at least so many, and together at least so many times what is wanted. */
const PER_BLOCK = 6
const CHOICE = 4
/** Pull towards sentences unlike the chosen ones, and towards parts that nothing was chosen from yet. */
const REPETITION = 1.5
const SAME_BLOCK = 0.35
/** Who begins a part says what it is about: the pull of its first sentences, which fades over so many. */
const OPENING = 1
const OPENING_SENTENCES = 5

interface Candidate {
  readonly index: number
  readonly block: number
  readonly rank: number
}

const blocksOf = (sentences: ReadonlyArray<Sentence>, chapters: ReadonlyArray<Chapter>) => {
  const blocks: Array<Array<number>> = []
  let chapter = 0
  let block: Array<number> = []
  const close = () => {
    if (block.length > 0) blocks.push(block)
    block = []
  }
  for (const [index, { start }] of sentences.entries()) {
    while (start >= (chapters[chapter + 1]?.start ?? Number.POSITIVE_INFINITY)) {
      chapter += 1
      close()
    }
    if (block.length === BLOCK_SENTENCES) close()
    block.push(index)
  }
  close()
  return blocks
}

const defaultCount = (duration: number) => Math.max(3, Math.min(15, Math.round(3 + duration / 600_000)))

const candidatesOf = (
  blocks: ReadonlyArray<ReadonlyArray<number>>,
  termSets: ReadonlyArray<ReadonlySet<number>>,
  isFit: (index: number) => boolean,
  perBlock: number,
) =>
  blocks.flatMap((indexes, block): ReadonlyArray<Candidate> => {
    const ranks = rankSentences(indexes.map((index) => termSets[index] ?? new Set()))
    return indexes
      .map((index, at) => ({
        index,
        block,
        rank: (ranks[at] ?? 0) * (1 + OPENING * Math.exp(-at / OPENING_SENTENCES)),
      }))
      .filter(({ index }) => isFit(index))
      .sort((a, b) => b.rank - a.rank || a.index - b.index)
      .slice(0, perBlock)
  })

/** Takes the most central first, each time less of what repeats the ones taken. */
const choose = (
  candidates: ReadonlyArray<Candidate>,
  count: number,
  termSets: ReadonlyArray<ReadonlySet<number>>,
) => {
  const open = candidates.map((candidate) => ({ ...candidate, alike: 0, beside: 0 }))
  const chosen: Array<number> = []
  while (chosen.length < count && open.length > 0) {
    let best = 0
    let bestScore = Number.NEGATIVE_INFINITY
    open.forEach(({ rank, alike, beside }, at) => {
      const score = rank - REPETITION * alike - SAME_BLOCK * beside
      if (score > bestScore) {
        best = at
        bestScore = score
      }
    })
    const [taken] = open.splice(best, 1)
    if (taken === undefined) break
    chosen.push(taken.index)
    const terms = termSets[taken.index] ?? new Set()
    for (const candidate of open) {
      candidate.alike = Math.max(candidate.alike, likeness(termSets[candidate.index] ?? new Set(), terms))
      if (candidate.block === taken.block) candidate.beside += 1
    }
  }
  return chosen.sort((a, b) => a - b)
}

/** A summary made of the transcript's own sentences: no model, no invention, any language, quick at any length. */
export const summarize = (transcript: Transcript, options: SummaryOptions = {}): Summary => {
  const sentences = sentencesOf(transcript.segments)
  const texts = sentences.map(({ text }) => text)
  const termSets = topicTermsOf(texts, transcript.language).sentences.map((terms) => new Set(terms))
  const chapters = options.chapters ?? chaptersOf(transcript)
  const blocks = blocksOf(sentences, chapters)
  const lengths = texts.map((text) => wordsOf(text).length)
  const count = Math.max(0, Math.floor(options.sentences ?? defaultCount(transcript.duration)))
  const said = new Set<string>()
  const isNew = texts.map((text) => !said.has(text) && said.add(text).size > 0)
  const isFit = (index: number) => {
    const words = lengths[index] ?? 0
    return isNew[index] === true && words >= FEWEST_WORDS && words <= MOST_WORDS
  }
  // The best there is: whole sentences of a good length, then parts of a good length, then anything.
  const choices = [
    (index: number) => isFit(index) && sentences[index]?.isWhole === true,
    isFit,
    (index: number) => isNew[index] === true,
  ]
  const perBlock = Math.max(PER_BLOCK, Math.ceil((CHOICE * count) / Math.max(1, blocks.length)))
  let candidates: ReadonlyArray<Candidate> = []
  for (const isAllowed of choices)
    if (candidates.length === 0) candidates = candidatesOf(blocks, termSets, isAllowed, perBlock)
  const chosen = choose(candidates, count, termSets).flatMap((index) => sentences[index] ?? [])
  return {
    kind: "extractive",
    text: joinUnits(chosen.map(({ text }) => text)),
    sentences: chosen.map(({ text, start, end, speaker }) => ({ text, start, end, speaker })),
  }
}
