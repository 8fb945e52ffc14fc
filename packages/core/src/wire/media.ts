import * as Schema from "effect/Schema"
import { field, integer, Timestamp } from "../jobs/fields.js"

/** How long the address of a recording is good, in seconds. */
export const MEDIA_LINK_SECONDS = 6 * 3600

/** A signed address that plays the recording of a transcription for whoever has it, for a while. */
export const MediaLink = Schema.Struct({
  url: Schema.String,
  contentType: field("content_type", Schema.String),
  bytes: integer(1),
  durationSeconds: field("duration_seconds", Schema.NullOr(Schema.Number)),
  /** Whether a browser that is told to play from a moment begins there. */
  exactSeek: field("exact_seek", Schema.Boolean),
  expiresAt: field("expires_at", Timestamp),
})
export type MediaLink = typeof MediaLink.Type
