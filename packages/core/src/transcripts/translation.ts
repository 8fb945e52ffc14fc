import { TaggedError } from "effect/Data"
import * as Either from "effect/Either"
import { counted } from "../text/counted.js"
import type { Segment, Transcript } from "./Transcript.js"

/** A translation must have one text for each segment of its source. */
export class TranslationMisaligned extends TaggedError("TranslationMisaligned")<{
  readonly segments: number
  readonly texts: number
}> {
  override get message() {
    return `A translation of ${counted(this.segments, "segment")} has ${counted(this.texts, "text")}`
  }
}

/** A translation and the segments (by index) whose own text stands in for a missing one. */
export interface AlignedTranslation {
  readonly transcript: Transcript
  readonly untranslated: ReadonlyArray<number>
}

/**
 * The translated transcript: segment for segment the same times and speakers, without word times. Where a text is null or
 * blank, the text of the source is kept and listed.
 */
export const alignTranslation = (
  source: Transcript,
  language: string,
  texts: ReadonlyArray<string | null>,
): Either.Either<AlignedTranslation, TranslationMisaligned> => {
  if (texts.length !== source.segments.length)
    return Either.left(new TranslationMisaligned({ segments: source.segments.length, texts: texts.length }))
  const untranslated: Array<number> = []
  const segments = source.segments.map((segment, index): Segment => {
    const text = texts[index]?.trim() ?? ""
    if (text === "") untranslated.push(index)
    return { ...segment, text: text === "" ? segment.text : text, words: [] }
  })
  return Either.right({ transcript: { ...source, language, segments }, untranslated })
}
