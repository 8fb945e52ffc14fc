/** How a job is followed while it runs: what was told of it already, and what there is to tell since. */
import * as Option from "effect/Option"
import { assemble } from "../transcripts/assemble.js"
import type { RecognizedSpan } from "../transcripts/mergeSpans.js"
import { repairWords } from "../transcripts/repairWords.js"
import { segmentOf } from "../transcripts/segmentOf.js"
import type { Segment } from "../transcripts/Transcript.js"

/** How much of a job somebody was told. As a text it is the id of a server-sent event. */
export interface FollowPlace {
  readonly run: number
  /** Lines told so far: the index of the next one. */
  readonly lines: number
  /** Spans told to their end, from the first one on. */
  readonly spans: number
  /** Lines told of the span after those. */
  readonly inside: number
  /** The moment of the media, in milliseconds, before which everything was told. */
  readonly until: number
  /** `written`: the job is done, and `inside` counts the lines of what is left of its transcript. `end`: the end was told too. */
  readonly stage: "heard" | "written" | "end"
}

export const firstPlace = (run: number): FollowPlace => ({
  run,
  lines: 0,
  spans: 0,
  inside: 0,
  until: 0,
  stage: "heard",
})

const NUMBER = "(\\d{1,12})"
const PLACE = new RegExp(`^${Array.from({ length: 5 }, () => NUMBER).join("-")}(?:-(written|end))?$`)

export const formatPlace = ({ run, lines, spans, inside, until, stage }: FollowPlace): string =>
  [run, lines, spans, inside, until, ...(stage === "heard" ? [] : [stage])].join("-")

/** None for what no event of ours was called: whoever sends that is told everything. */
export const parsePlace = (text: string): Option.Option<FollowPlace> => {
  const found = PLACE.exec(text)
  if (found === null) return Option.none()
  const [run = 0, lines = 0, spans = 0, inside = 0, until = 0] = found.slice(1, 6).map(Number)
  const stage = found[6] === "written" || found[6] === "end" ? found[6] : "heard"
  return Option.some({ run, lines, spans, inside, until, stage })
}

/** A line with the place of whoever has it. */
interface FollowedLine {
  readonly line: Segment
  readonly index: number
  readonly place: FollowPlace
}

export interface Followed {
  readonly lines: ReadonlyArray<FollowedLine>
  readonly place: FollowPlace
}

const linesOf = ({ end, words }: RecognizedSpan): ReadonlyArray<Segment> =>
  assemble({ language: null, duration: end, words: repairWords(words) }).segments

/** What is new in a span: the one before, where they overlap, was told to its end, before anybody could know what this one has there. */
const newIn = <Told extends RecognizedSpan>(span: Told, before: RecognizedSpan | undefined): Told =>
  before === undefined || before.end <= span.start
    ? span
    : { ...span, words: span.words.filter(({ start, end }) => (start + end) / 2 >= before.end) }

/** Which spans to read to go on: those after this index. The last one that was told is among them, as proof that they are the same still. */
export const spansAfter = ({ spans }: FollowPlace): number => Math.max(-1, spans - 2)

/** Whether spans go on where somebody was. They do not when the media is heard anew, with another engine or cut otherwise. */
export const isSamePlan = (
  place: FollowPlace,
  spans: ReadonlyArray<Pick<RecognizedSpan, "start"> & { readonly index: number }>,
): boolean => {
  if (place.spans === 0) return true
  const [first] = spans
  return first !== undefined && first.index === place.spans - 1 && first.start <= place.until
}

/** The same moment, where spans have to be told from the first one on: what ended before was told already. */
export const fromFirstSpan = (place: FollowPlace): FollowPlace => ({ ...place, spans: 0, inside: 0 })

/** The lines of the spans that come next, without a gap between. */
export const followSpans = (
  from: FollowPlace,
  spans: ReadonlyArray<RecognizedSpan & { readonly index: number }>,
): Followed => {
  const told: Array<FollowedLine> = []
  // Spans of another plan overlap with what was told: what ended before is not told again.
  const before = from.spans === 0 && from.inside === 0 ? from.until : 0
  let place = from
  for (const span of spans) {
    if (span.index < place.spans) continue
    if (span.index > place.spans) break
    const previous = spans.find(({ index }) => index === span.index - 1)
    for (const line of linesOf(newIn(span, previous)).slice(place.inside)) {
      const isNew = line.end > before
      const index = place.lines
      place = {
        ...place,
        inside: place.inside + 1,
        ...(isNew && { lines: index + 1, until: Math.max(place.until, line.end) }),
      }
      if (isNew) told.push({ line, index, place })
    }
    place = { ...place, spans: place.spans + 1, inside: 0, until: Math.max(place.until, span.end) }
  }
  return { lines: told, place }
}

/** What is left of a line after a moment; null when it was told. */
const rest = (line: Segment, until: number): Segment | null => {
  if (line.start >= until) return line
  const words = line.words.filter(({ start }) => start >= until)
  return words.length === 0 ? null : { ...segmentOf(words), speaker: line.speaker }
}

/** The lines of a finished transcript that were not told while it was made. */
export const followFinished = (from: FollowPlace, segments: ReadonlyArray<Segment>): Followed => {
  const left = segments.map((line) => rest(line, from.until)).filter((line) => line !== null)
  const before = from.stage === "written" ? from.inside : 0
  const lines = left.slice(before).map((line, step) => {
    const index = from.lines + step
    const place = { ...from, lines: index + 1, inside: before + step + 1, stage: "written" } as const
    return { line, index, place }
  })
  return { lines, place: lines.at(-1)?.place ?? from }
}
