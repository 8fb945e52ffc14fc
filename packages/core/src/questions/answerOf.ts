import type { JobId } from "../jobs/ids.js"
import { cleanText } from "../text/cleanText.js"
import { joinUnits } from "../text/units.js"
import { type Citation, citeLine, citeQuote, faultOf } from "./citations.js"
import type { AskedTranscript, Passage } from "./passages.js"

/** A sentence, and the words of transcripts that it rests on. */
export interface Claim {
  readonly text: string
  readonly citations: ReadonlyArray<Citation>
}

/** A line that a model is shown, by a number of its own. */
export interface NumberedLine {
  readonly line: number
  readonly transcript: AskedTranscript
  readonly segmentId: number
}

/** What a model claims, before anything of it is checked. */
export interface DraftClaim {
  readonly text: string
  readonly quotes: ReadonlyArray<{ readonly line: number; readonly quote: string }>
}

/** What a model wrote about numbered lines. */
export interface Draft {
  readonly claims: ReadonlyArray<DraftClaim>
  /** Whether it has read all the lines that it was to read. */
  readonly isWhole: boolean
}

export type AnswerStatus = "supported" | "partial" | "not_found"

/** An answer of which every citation is in a transcript. */
export interface CheckedAnswer {
  readonly status: AnswerStatus
  readonly text: string
  readonly claims: ReadonlyArray<Claim>
  /** Claims that no citation was left of, and citations that did not hold. */
  readonly dropped: { readonly claims: number; readonly citations: number }
}

const LONGEST_CLAIM = 2_000
const MOST_CITATIONS = 12

const NOTHING: CheckedAnswer = {
  status: "not_found",
  text: "",
  claims: [],
  dropped: { claims: 0, citations: 0 },
}

const withoutRepeats = (citations: ReadonlyArray<Citation>): ReadonlyArray<Citation> => [
  ...new Map(
    citations.map((each) => [
      `${each.transcriptionId} ${each.segmentId} ${each.start} ${each.excerpt}`,
      each,
    ]),
  ).values(),
]

/** The one gate that citations leave by: whatever made them, each is compared with its transcript. */
const checked = (
  claims: ReadonlyArray<Claim>,
  transcripts: ReadonlyMap<JobId, AskedTranscript>,
): Pick<CheckedAnswer, "claims" | "dropped"> => {
  let citations = 0
  const kept = claims.flatMap((claim): ReadonlyArray<Claim> => {
    const held = claim.citations.filter((citation) => faultOf(citation, transcripts) === null)
    citations += claim.citations.length - held.length
    const text = cleanText(claim.text.slice(0, LONGEST_CLAIM))
    return held.length === 0 || text === ""
      ? []
      : [{ text, citations: withoutRepeats(held).slice(0, MOST_CITATIONS) }]
  })
  return { claims: kept, dropped: { claims: claims.length - kept.length, citations } }
}

const byId = (transcripts: ReadonlyArray<AskedTranscript>): ReadonlyMap<JobId, AskedTranscript> =>
  new Map(transcripts.map((each) => [each.id, each]))

/** What fits a question much worse than the best of an answer is left out of it. */
const LEAST_OF_BEST = 0.4

/** Passages as they were said, the best first: each is a claim, word for word, that cites its own lines. */
export const answerOfPassages = (passages: ReadonlyArray<Passage>): CheckedAnswer => {
  const least = LEAST_OF_BEST * Math.max(0, ...passages.map(({ score }) => score))
  const fitting = passages.filter(({ score }) => score >= least)
  const found = fitting.map(({ transcript, from, to }): Claim => {
    const places = Array.from({ length: to - from }, (_, at) => from + at)
    const citations = places.flatMap((segmentId) => citeLine(transcript, segmentId) ?? [])
    return { text: joinUnits(citations.map(({ excerpt }) => excerpt)), citations }
  })
  const answer = checked(found, byId(passages.map(({ transcript }) => transcript)))
  return answer.claims.length === 0
    ? { ...NOTHING, dropped: answer.dropped }
    : { ...answer, status: "partial", text: answer.claims.map(({ text }) => text).join("\n\n") }
}

/** What became of a draft: an answer, or null where the passages have to answer; and what had to be dropped. */
export interface CheckedDraft {
  readonly answer: CheckedAnswer | null
  readonly dropped: CheckedAnswer["dropped"]
}

/**
 * What a model claims, as far as the lines it was shown bear it out. Supported: it has read all, and no claim had to be dropped. Not
 * found: it has read all, and claims nothing. No answer: nothing of what it claims is left, or it claims nothing and has not read all.
 */
export const answerOfDraft = (draft: Draft, lines: ReadonlyArray<NumberedLine>): CheckedDraft => {
  const known = new Map(lines.map((each) => [each.line, each]))
  let missing = 0
  const made = draft.claims.map(({ text, quotes }): Claim => {
    const citations = quotes.flatMap(({ line, quote }) => {
      const found = known.get(line)
      return found === undefined ? [] : (citeQuote(found.transcript, found.segmentId, quote) ?? [])
    })
    missing += quotes.length - citations.length
    return { text, citations }
  })
  const { claims, dropped: refused } = checked(made, byId(lines.map(({ transcript }) => transcript)))
  const dropped = { ...refused, citations: refused.citations + missing }
  if (claims.length === 0) {
    const isNothing = draft.isWhole && draft.claims.length === 0
    return { answer: isNothing ? NOTHING : null, dropped }
  }
  const isBorneOut = draft.isWhole && dropped.claims === 0
  const text = joinUnits(claims.map((claim) => claim.text))
  return { answer: { claims, dropped, status: isBorneOut ? "supported" : "partial", text }, dropped }
}
