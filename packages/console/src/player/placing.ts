/** Where the words of a transcript are in its text and in its sound. No document is touched here. */
import type { PlacedWord } from "@earmark/core/text"

type Words = ReadonlyArray<Pick<PlacedWord, "offset" | "length" | "start" | "end">>

/** The index of the last of things in order that has begun; -1 before the first. */
const lastBegun = (count: number, begunAt: (index: number) => number, moment: number): number => {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (begunAt(middle) <= moment) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The part of a line that is spoken at a moment, in characters; null before its first word. */
export const spokenAt = (words: Words, milliseconds: number): readonly [number, number] | null => {
  const word = words[lastBegun(words.length, (index) => words[index]?.start ?? 0, milliseconds)]
  return word === undefined || word.length === 0 ? null : [word.offset, word.offset + word.length]
}

/** When the word at a place in a line is spoken, in milliseconds; null where no word of the line has a time. */
export const momentAt = (words: Words, offset: number): number | null => {
  const word =
    words[
      Math.max(
        0,
        lastBegun(words.length, (index) => words[index]?.offset ?? 0, offset),
      )
    ]
  return word?.start ?? null
}

/** The moment that a clock shows: at its end a recording is as long as it is said to be, which is rounded. */
export const shownAt = (seconds: number, length: number): number =>
  seconds > length - 0.01 ? Math.round(length) : seconds

/** A step back when playing goes on after a pause: the words before it are heard again. */
const STEP_BACK = 2

export const resumedAt = (seconds: number): number => Math.max(0, seconds - STEP_BACK)

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const

/** The next rate, faster or slower. */
export const rateBeside = (rate: number, step: 1 | -1): number => {
  const faster = RATES.find((each) => each > rate)
  const slower = RATES.findLast((each) => each < rate)
  return (step === 1 ? faster : slower) ?? rate
}
