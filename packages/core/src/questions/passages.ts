import type { JobId } from "../jobs/ids.js"
import { fold, isPlain } from "../text/fold.js"
import { finished, type InTurns } from "../text/inTurns.js"
import { placesOf } from "../text/searchPlaces.js"
import { type WantedWords, wantedWords } from "../text/searchWords.js"
import type { Segment } from "../transcripts/Transcript.js"
import { stemOf, type Term, termsOf } from "./terms.js"

/** A transcript that questions are asked about. Speakers are called as they are shown. */
export interface AskedTranscript {
  readonly id: JobId
  readonly segments: ReadonlyArray<Segment>
}

/** Neighbouring lines that fit a question. */
export interface Passage {
  readonly transcript: AskedTranscript
  /** The first of its segments, and the one behind its last. */
  readonly from: number
  readonly to: number
  /** The same with more of what is said around it. */
  readonly around: { readonly from: number; readonly to: number }
  /** Higher is better; comparable within one question only. */
  readonly score: number
}

/** A passage ends with the line that reaches this many characters. */
const PASSAGE_CHARACTERS = 500
/** Passages overlap by about half, so that none is cut where the answer is. */
const STEP_CHARACTERS = 250
/** What is said right before and after the words that were asked for belongs to them. */
const LINES_BESIDE = 1
/** The constants of BM25: how soon repeating a word stops to count, and how much length does. */
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.6
/** A passage fits when it holds words of more than this share of what the question asks for, by their weight. */
const LEAST_SHARE = 0.25
/** A passage begins and ends with lines of more than this share of what its best line has, by the weight of their words. */
const LEAST_LINE = 0.5
const WORD = /[\p{L}\p{N}\p{M}]+/uy

/** How often each term is in each segment: one row of segments for each term. */
type Rows = ReadonlyArray<ReadonlyMap<number, number>>

interface Window {
  readonly transcript: AskedTranscript
  readonly from: number
  readonly to: number
  readonly characters: number
  /** The lines with a word that was asked for. */
  readonly lines: ReadonlyArray<number>
  /** How often each term is in those lines. */
  readonly counts: Float64Array
  readonly rows: Rows
}

const hasStem = (text: string, at: number, stem: string): boolean => {
  WORD.lastIndex = at
  const [word = ""] = WORD.exec(text) ?? []
  return stemOf(word.normalize("NFKC")) === stem
}

/** The lines of a transcript as one folded text, and where each of them ends in it. */
export const foldedLines = (segments: ReadonlyArray<Segment>) => {
  const texts = segments.map(({ text }) => text)
  const joined = texts.join("\n")
  // Most are plain, and folded at once.
  const lines = isPlain(joined) ? texts : texts.map(fold)
  const ends = new Int32Array(lines.length)
  let end = 0
  lines.forEach((text, index) => {
    end += text.length + 1
    ends[index] = end
  })
  return { whole: lines === texts ? fold(joined) : lines.join("\n"), ends }
}

/** Where a folded text has a term, in any form. */
export function* placesOfTerm(whole: string, { stem, pieces }: Term): Generator<number> {
  const isWord = pieces.length === 1 && pieces[0]?.spaced === true
  for (const { from } of placesOf(whole, { pieces, prefix: true, quoted: true }))
    if (!isWord || hasStem(whole, from, stem)) yield from
}

const rowsIn = (segments: ReadonlyArray<Segment>, terms: ReadonlyArray<Term>): Rows => {
  const { whole, ends } = foldedLines(segments)
  return terms.map((term) => {
    const row = new Map<number, number>()
    let segment = 0
    for (const from of placesOfTerm(whole, term)) {
      while ((ends[segment] ?? Number.POSITIVE_INFINITY) <= from) segment += 1
      row.set(segment, (row.get(segment) ?? 0) + 1)
    }
    return row
  })
}

const countsOf = (rows: Rows, lines: ReadonlyArray<number>): Float64Array =>
  Float64Array.from(rows, (row) => lines.reduce((sum, line) => sum + (row.get(line) ?? 0), 0))

/** Windows over all lines of some transcripts: how many there are, how long they are together, and those with any of the terms. */
interface Windows {
  all: number
  characters: number
  readonly having: Array<Window>
}

/** Adds overlapping windows over all lines of a transcript. */
const addWindows = (windows: Windows, transcript: AskedTranscript, terms: ReadonlyArray<Term>): void => {
  const { segments } = transcript
  const rows = rowsIn(segments, terms)
  const hits = [...new Set(rows.flatMap((row) => [...row.keys()]))].sort((a, b) => a - b)
  let hit = 0
  for (let from = 0; from < segments.length; ) {
    let to = from
    let characters = 0
    let next = from + 1
    while (to < segments.length && characters < PASSAGE_CHARACTERS) {
      characters += (segments[to]?.text.length ?? 0) + 1
      to += 1
      if (characters < STEP_CHARACTERS) next = to
    }
    windows.all += 1
    windows.characters += characters
    while ((hits[hit] ?? Number.POSITIVE_INFINITY) < from) hit += 1
    let behind = hit
    while ((hits[behind] ?? Number.POSITIVE_INFINITY) < to) behind += 1
    if (behind > hit) {
      const lines = hits.slice(hit, behind)
      windows.having.push({ transcript, from, to, characters, lines, counts: countsOf(rows, lines), rows })
    }
    if (to >= segments.length) break
    from = next
  }
}

/** Rare words count more. One that is nowhere, misheard or never said, counts no more than those that are somewhere. */
const weightsOf = ({ all, having }: Windows, terms: ReadonlyArray<Term>): Float64Array => {
  const holding = terms.map((_, term) => having.filter(({ counts }) => (counts[term] ?? 0) > 0).length)
  const weights = holding.map((count) => (count === 0 ? 0 : Math.log(1 + all / (count + 1))))
  const most = Math.max(0, ...weights)
  return Float64Array.from(weights, (weight) => (weight === 0 ? most : weight))
}

/** A window as a passage; null where too little of the question is in it. */
const makePassageOf = (
  windows: Windows,
  terms: ReadonlyArray<Term>,
): ((window: Window) => Passage | null) => {
  const weights = weightsOf(windows, terms)
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = windows.characters / windows.all
  return ({ transcript, from, to, characters, lines, counts, rows }) => {
    let score = 0
    let held = 0
    counts.forEach((count, term) => {
      if (count === 0) return
      const weight = weights[term] ?? 0
      const damping = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * characters) / mean)
      score += (weight * count * (SATURATION + 1)) / (count + damping)
      held += weight
    })
    // One passage with all words of the question is worth more than one that repeats the rarest of them.
    const share = all === 0 ? 0 : held / all
    if (share <= LEAST_SHARE) return null
    const weigh = (line: number) =>
      rows.reduce((sum, row, term) => sum + (row.has(line) ? (weights[term] ?? 0) : 0), 0)
    const least = LEAST_LINE * Math.max(...lines.map(weigh))
    const strong = lines.filter((line) => weigh(line) > least)
    return {
      transcript,
      from: Math.max(from, (strong[0] ?? from) - LINES_BESIDE),
      to: Math.min(to, (strong.at(-1) ?? to) + 1 + LINES_BESIDE),
      around: { from, to },
      score: score * (0.5 + share),
    }
  }
}

const overlaps = (one: Passage, other: Passage): boolean =>
  one.transcript === other.transcript &&
  one.around.from < other.around.to &&
  other.around.from < one.around.to

/** What is left of a window beside passages that are shown already; null where they show all that was asked for. */
const beside = (window: Window, shown: ReadonlyArray<Passage>): Window | null => {
  const others = shown.filter(({ transcript }) => transcript === window.transcript)
  const isOpen = (line: number) => !others.some(({ from, to }) => from <= line && line < to)
  const first = window.lines.find(isOpen)
  if (first === undefined) return null
  const from = Math.max(window.from, ...others.flatMap(({ to }) => (to <= first ? [to] : [])))
  const to = Math.min(window.to, ...others.flatMap((other) => (other.from > first ? [other.from] : [])))
  const lines = window.lines.filter((line) => from <= line && line < to)
  return { ...window, from, to, lines, counts: countsOf(window.rows, lines) }
}

/** What the lines of a passage say that have words of the question. */
const saidIn = ({ lines }: Window, { transcript, from, to }: Passage): ReadonlyArray<string> =>
  lines.filter((line) => from <= line && line < to).map((line) => fold(transcript.segments[line]?.text ?? ""))

const byScore = (a: Passage, b: Passage) => b.score - a.score

/** `rankPassages` in steps, one for each transcript: hundreds of hours take a while. */
export function* rankingSteps(
  transcripts: ReadonlyArray<AskedTranscript>,
  question: string,
  limit: number,
): InTurns<ReadonlyArray<Passage>> {
  const terms = termsOf(question)
  const windows: Windows = { all: 0, characters: 0, having: [] }
  for (const transcript of terms.length === 0 ? [] : transcripts) {
    addWindows(windows, transcript, terms)
    yield
  }
  const passageOf = makePassageOf(windows, terms)
  // Sorting is stable: of equals the first in the order given comes first.
  const ranked = windows.having
    .flatMap((window) => {
      const passage = passageOf(window)
      return passage === null ? [] : [{ window, passage }]
    })
    .sort((a, b) => byScore(a.passage, b.passage))
  const chosen: Array<Passage> = []
  const left: Array<Window> = []
  // A recording that was transcribed twice says nothing more.
  const said = new Set<string>()
  for (const { window, passage } of ranked) {
    if (chosen.length >= limit) break
    if (chosen.some((other) => overlaps(other, passage))) {
      left.push(window)
      continue
    }
    const lines = saidIn(window, passage)
    if (lines.every((line) => said.has(line))) continue
    for (const line of lines) said.add(line)
    chosen.push(passage)
  }
  // Where there is room, lines that only a window over a better one has.
  const more: Array<Passage> = []
  for (const window of left) {
    if (chosen.length + more.length >= limit) break
    const rest = beside(window, [...chosen, ...more])
    const passage = rest === null ? null : passageOf(rest)
    if (passage !== null) more.push(passage)
  }
  return [...chosen, ...more.sort(byScore)]
}

/** The passages that fit a question best, best first; none lies over another one. Empty when nothing fits. */
export const rankPassages = (
  transcripts: ReadonlyArray<AskedTranscript>,
  question: string,
  limit: number,
): ReadonlyArray<Passage> => finished(rankingSteps(transcripts, question, limit))

/** What a store looks transcripts up by: for each telling word of the question what its forms begin with. */
export const beginningsOf = (question: string): ReadonlyArray<WantedWords> =>
  termsOf(question).map(({ stem }) => wantedWords(`${stem}*`, { near: false }))
