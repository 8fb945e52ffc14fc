import * as Either from "effect/Either"
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
  text,
} from "../jobs/fields.js"
import { decodeRequest, RequestInvalid } from "./decodeRequest.js"
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

/** As many ids as fit into an address. */
const MOST_ARCHIVED_IDS = 400
/** As many jobs as a batch may have to be exported as one archive. */
export const MOST_ARCHIVED = 1000

const { revision: _, ...archived } = ExportQuery.fields

/** The query of `GET /exports.zip`. */
export const ArchiveQuery = Schema.Struct({
  /** The ids of the transcriptions, with commas between them. */
  ids: optionalParameter(text(40 * MOST_ARCHIVED_IDS)),
  batchId: optionalParameterField("batch_id", text(64)),
  ...archived,
})
export type ArchiveQuery = typeof ArchiveQuery.Type

const idsOf = (ids: string): ReadonlyArray<string> =>
  [...new Set(ids.split(",").map((id) => id.trim()))].filter((id) => id !== "")

/** Which transcripts go into an archive. */
export type ArchiveRequest = Omit<ArchiveQuery, "ids" | "batchId"> & {
  readonly of: { readonly ids: ReadonlyArray<string> } | { readonly batch: string }
}

const decodeFields = decodeRequest(ArchiveQuery)

const refused = (pointer: string, detail: string) =>
  Either.left(new RequestInvalid({ code: "invalid_request", problems: [{ pointer, detail }] }))

/** The query of `GET /exports.zip`: either ids or a batch. */
export const decodeArchiveQuery = (input: unknown): Either.Either<ArchiveRequest, RequestInvalid> =>
  Either.flatMap(
    decodeFields(input),
    ({ ids, batchId, ...choices }): Either.Either<ArchiveRequest, RequestInvalid> => {
      if ((ids === undefined) === (batchId === undefined))
        return refused("#/ids", "Give the transcriptions as ids, or a batch as batch_id: one of both.")
      if (batchId !== undefined) return Either.right({ ...choices, of: { batch: batchId } })
      const wanted = idsOf(ids ?? "")
      if (wanted.length === 0) return refused("#/ids", "Name at least one transcription.")
      if (wanted.length > MOST_ARCHIVED_IDS)
        return refused("#/ids", `At most ${MOST_ARCHIVED_IDS} ids fit into one request.`)
      return Either.right({ ...choices, of: { ids: wanted } })
    },
  )

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
