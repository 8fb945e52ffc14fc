/** Extras that are asked for after a transcription is done. */
import * as Schema from "effect/Schema"
import { Enrichment } from "../jobs/content.js"
import { LanguageCode, optional, optionalField } from "../jobs/fields.js"

/** The body of `POST /transcriptions/{id}/extras`. */
export const ExtrasRequest = Schema.Struct({
  summary: optional(Schema.Boolean),
  chapters: optional(Schema.Boolean),
  translateTo: optionalField("translate_to", LanguageCode),
}).pipe(
  Schema.filter(
    ({ summary, chapters, translateTo }) =>
      summary === true ||
      chapters === true ||
      translateTo !== undefined ||
      "Ask for at least one of summary, chapters and translate_to",
  ),
)
export type ExtrasRequest = typeof ExtrasRequest.Type

/** How the extras of a transcript fare. */
export const TranscriptExtras = Schema.Struct({ enrichment: Enrichment })
export type TranscriptExtras = typeof TranscriptExtras.Type
