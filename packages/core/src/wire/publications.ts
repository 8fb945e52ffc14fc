import * as Schema from "effect/Schema"
import { field, optional, Timestamp } from "../jobs/fields.js"
import { JobId } from "../jobs/ids.js"

/** The files of a published transcript; `json` is the JSON transcript of Podcasting 2.0, `html` a page with a player. */
export const PublishedFormat = Schema.Literal("vtt", "srt", "json", "html", "chapters")
export type PublishedFormat = typeof PublishedFormat.Type

/** The body of `PUT /transcriptions/{id}/publication`. */
export const PublishRequest = Schema.Struct({
  /** Every format when left out. */
  formats: optional(
    Schema.Array(PublishedFormat).pipe(
      Schema.minItems(1, { description: "at least one format" }),
      Schema.maxItems(PublishedFormat.literals.length, { description: "each format once" }),
    ),
  ),
})
export type PublishRequest = typeof PublishRequest.Type

const PublishedFile = Schema.Struct({
  format: PublishedFormat,
  url: Schema.String,
  type: Schema.String,
  language: Schema.NullOr(Schema.String),
})

/** The lists of all published transcripts of one feed. */
const PublishedShow = Schema.Struct({
  feedUrl: field("feed_url", Schema.String),
  jsonUrl: field("json_url", Schema.String),
  opmlUrl: field("opml_url", Schema.String),
})

/** Where a transcript is published, and the tags that tell players of it. */
export const Publication = Schema.Struct({
  transcriptionId: field("transcription_id", JobId),
  title: Schema.NullOr(Schema.String),
  guid: Schema.NullOr(Schema.String),
  publishedAt: field("published_at", Timestamp),
  files: Schema.Array(PublishedFile),
  tags: Schema.Struct({
    transcripts: Schema.Array(Schema.String),
    chapters: Schema.NullOr(Schema.String),
  }),
  /** Null where the transcript is of no feed. */
  show: Schema.NullOr(PublishedShow),
})
export type Publication = typeof Publication.Type
