import * as Either from "effect/Either"
import { alignUnits, type Step, type TooFarApart } from "./align.js"
import { normalizedWords } from "./normalizeTranscript.js"
import { joinUnits } from "./units.js"

/** Counts of a shortest alignment. */
export interface ErrorCounts {
  readonly substitutions: number
  readonly deletions: number
  readonly insertions: number
  readonly hits: number
  /** Units of the reference: hits + substitutions + deletions. */
  readonly reference: number
  /** Units of the hypothesis: hits + substitutions + insertions. */
  readonly hypothesis: number
  /** Errors per unit of the reference. Against an empty reference every insertion counts as one whole error. */
  readonly rate: number
}

/** One place of the alignment: what was said and what was heard; null where one side has nothing. */
export interface AlignedWord {
  readonly kind: Step["kind"]
  readonly reference: string | null
  readonly hypothesis: string | null
}

export interface Comparison {
  readonly words: ErrorCounts
  /** The same on the letters of the compared words. */
  readonly characters: ErrorCounts
  readonly alignment: ReadonlyArray<AlignedWord>
}

export interface CompareOptions {
  /** Decides about fillers, contractions and number words; English when absent. */
  readonly language?: string | null
  /** False compares words as they are written, split at white space. */
  readonly normalize?: boolean
  /** Texts that differ in more places are refused. */
  readonly limit?: number
}

const countsOf = (steps: ReadonlyArray<Step>): ErrorCounts => {
  const count = { hit: 0, substitution: 0, deletion: 0, insertion: 0 }
  for (const step of steps) count[step.kind] += 1
  const reference = count.hit + count.substitution + count.deletion
  const errors = count.substitution + count.deletion + count.insertion
  return {
    substitutions: count.substitution,
    deletions: count.deletion,
    insertions: count.insertion,
    hits: count.hit,
    reference,
    hypothesis: count.hit + count.substitution + count.insertion,
    rate: errors / Math.max(1, reference),
  }
}

/** Word error rate, character error rate and the alignment they rest on. */
export const compareTexts = (
  reference: string,
  hypothesis: string,
  { language = "en", normalize = true, limit }: CompareOptions = {},
): Either.Either<Comparison, TooFarApart> => {
  const unitsOf = (text: string) =>
    normalize ? normalizedWords(text, language) : text.split(/\s+/).filter((word) => word !== "")
  const said = unitsOf(reference)
  const heard = unitsOf(hypothesis)
  return Either.gen(function* () {
    const steps = yield* alignUnits(said, heard, limit)
    const letters = yield* alignUnits([...joinUnits(said)], [...joinUnits(heard)], limit)
    return {
      words: countsOf(steps),
      characters: countsOf(letters),
      alignment: steps.map((step) => ({
        kind: step.kind,
        reference: step.kind === "insertion" ? null : (said[step.reference] ?? null),
        hypothesis: step.kind === "deletion" ? null : (heard[step.hypothesis] ?? null),
      })),
    }
  })
}

const SHOWN_ERRORS = {
  hit: (said: string) => said,
  substitution: (said: string, heard: string) => `[${said} -> ${heard}]`,
  deletion: (said: string) => `[-${said}]`,
  insertion: (_: string, heard: string) => `[+${heard}]`,
} as const

/** The alignment as one text with every error marked: `so [their -> there] [-it] is [+a]`. */
export const markedAlignment = (alignment: ReadonlyArray<AlignedWord>): string =>
  alignment
    .map(({ kind, reference, hypothesis }) => SHOWN_ERRORS[kind](reference ?? "", hypothesis ?? ""))
    .join(" ")
