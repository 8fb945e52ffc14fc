import { joinUnits } from "../text/units.js"
import { wordsOf } from "../text/words.js"
import type { Segment } from "./Transcript.js"

/** The whole text of a transcript: its segments, joined as their script joins words. */
export const textOf = (segments: ReadonlyArray<Segment>): string =>
  joinUnits(segments.map(({ text }) => text))

/** How many words were said: those with times, and for segments without them the words of their text. */
export const wordCountOf = (segments: ReadonlyArray<Segment>): number =>
  segments.reduce((sum, { words, text }) => sum + (words.length > 0 ? words.length : wordsOf(text).length), 0)
