import * as Schema from "effect/Schema"
import { MOST_REVISIONS } from "../edits/EditOperation.js"
import {
  BooleanText,
  field,
  integer,
  integerText,
  LanguageCode,
  optional,
  optionalField,
  optionalParameter,
  optionalParameterField,
  Timestamp,
} from "../jobs/fields.js"
import { RevisionText } from "./edits.js"

export const ExportFormat = Schema.Literal(
  "srt",
  "vtt",
  "txt",
  "md",
  "json",
  "podcast_json",
  "chapters",
  "csv",
  "tsv",
  "html",
  "docx",
)
export type ExportFormat = typeof ExportFormat.Type

export const CaptionProfile = Schema.Literal("standard", "podcast", "netflix")
export type CaptionProfile = typeof CaptionProfile.Type

/** The query of `GET /transcriptions/{id}/export`. */
export const ExportQuery = Schema.Struct({
  format: ExportFormat,
  wordLevel: optionalParameterField("word_level", BooleanText),
  /** The translation to export; the original when left out. */
  language: optionalParameter(LanguageCode),
  speakers: optionalParameter(BooleanText),
  profile: optionalParameter(CaptionProfile),
  maxCharsPerLine: optionalParameterField("max_chars_per_line", integerText(16, 80)),
  maxLines: optionalParameterField("max_lines", integerText(1, 4)),
  /** The newest when left out. */
  revision: optionalParameter(RevisionText),
})
export type ExportQuery = typeof ExportQuery.Type

/** The body of `POST /transcriptions/{id}/export-link`: the same choices as JSON. */
export const ExportRequest = Schema.Struct({
  format: ExportFormat,
  wordLevel: optionalField("word_level", Schema.Boolean),
  language: optional(LanguageCode),
  speakers: optional(Schema.Boolean),
  profile: optional(CaptionProfile),
  maxCharsPerLine: optionalField("max_chars_per_line", integer(16, 80)),
  maxLines: optionalField("max_lines", integer(1, 4)),
  revision: optional(integer(0, MOST_REVISIONS)),
})
export type ExportRequest = typeof ExportRequest.Type

/** A signed address that gives the file to whoever has it, for a while. */
export const ExportLink = Schema.Struct({ url: Schema.String, expiresAt: field("expires_at", Timestamp) })
export type ExportLink = typeof ExportLink.Type
