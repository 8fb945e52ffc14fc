import { alignUnits } from "@earmark/core/text"
import type { Word } from "@earmark/core/transcripts"
import { Either } from "effect"

/** A word and where it starts, in milliseconds. */
export type Started = Pick<Word, "text" | "start">

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}']/gu, "")

/** How far the starts of rightly heard words are from the reference, in milliseconds, least first. */
export const startErrors = (
  reference: ReadonlyArray<Started>,
  heard: ReadonlyArray<Started>,
): ReadonlyArray<number> => {
  const texts = (words: ReadonlyArray<Started>) => words.map(({ text }) => plain(text))
  const steps = Either.getOrThrow(alignUnits(texts(reference), texts(heard)))
  const errors = steps.flatMap((step) => {
    if (step.kind !== "hit") return []
    return [Math.abs((reference[step.reference]?.start ?? 0) - (heard[step.hypothesis]?.start ?? 0))]
  })
  return errors.sort((left, right) => left - right)
}

/** The share of the values that are at most `limit`. */
export const shareWithin = (values: ReadonlyArray<number>, limit: number): number =>
  values.filter((value) => value <= limit).length / Math.max(1, values.length)
