/** What a finished job holds: lines, words, chapters, a translation. Seconds on the wire, whole milliseconds inside. */
import * as Schema from "effect/Schema"
import { Count, Seconds, sometimes } from "./fields.js"

// Whatever an engine says about itself must not make a transcript unreadable: no narrower than JSON.
const Confidence = Schema.NullOr(Schema.Finite)

/**
 * Where the times of words come from: the engine; the sound of the words, by forced alignment; or the lengths of words and sounds, where more
 * than one word in twenty could not be found in the sound.
 */
export const WordTiming = Schema.Literal("engine", "aligned", "estimated")
export type WordTiming = typeof WordTiming.Type

/** A word as `?include=words` shows it. */
export const SpokenWord = Schema.Struct({
  start: Seconds,
  end: Seconds,
  text: Schema.String,
  confidence: Confidence,
  speaker: sometimes(Schema.NullOr(Schema.String)),
})
export type SpokenWord = typeof SpokenWord.Type

const line = {
  start: Seconds,
  end: Seconds,
  /** `Speaker <n>`, counted from 1, whatever name it was given; null when nobody asked who speaks. */
  speaker: Schema.NullOr(Schema.String),
  text: Schema.String,
}

/** A timed line of a transcript. */
export const SpokenSegment = Schema.Struct({
  ...line,
  words: sometimes(Schema.Array(SpokenWord)),
  /** Present when a person changed the text, the speaker or the times of the line. */
  edited: sometimes(Schema.Literal(true)),
})
export type SpokenSegment = typeof SpokenSegment.Type

export const Chapter = Schema.Struct({
  start: Seconds,
  end: Seconds,
  title: Schema.String,
  summary: sometimes(Schema.String),
})
export type Chapter = typeof Chapter.Type

/** The transcript in another language; its segments stand one to one beside those of the transcript. */
export const Translation = Schema.Struct({
  language: Schema.String,
  text: Schema.String,
  segments: Schema.Array(Schema.Struct(line)),
})
export type Translation = typeof Translation.Type

/** How an extra fares. It never decides over the job. */
const ExtraState = Schema.Struct({
  status: Schema.Literal("pending", "done", "failed"),
  error: sometimes(Schema.String),
  /** Present when it was made before the transcript was corrected. */
  stale: sometimes(Schema.Literal(true)),
  /** The revision of the transcript that it is made from; absent for what was asked for with the job, which is made from what was heard. */
  revision: sometimes(Count),
})
export type ExtraState = typeof ExtraState.Type

export const Enrichment = Schema.Struct({
  summary: sometimes(ExtraState),
  chapters: sometimes(ExtraState),
  translation: sometimes(ExtraState),
  /** Every translation, by its language. Present where one was asked for after the job was done. */
  translations: sometimes(Schema.Record({ key: Schema.String, value: ExtraState })),
})
export type Enrichment = typeof Enrichment.Type
