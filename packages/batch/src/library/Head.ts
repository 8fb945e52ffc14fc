/** The small part of an entry of the library: what lists show of it, as the wire shows it, and what it takes to make it again. */
import { JobSummary } from "@earmark/core/jobs"
import { Schema } from "effect"

/** The process that is at it. */
const Run = Schema.Struct({
  pid: Schema.Int,
  /** When that process started: another one may have its number later. */
  started: Schema.NullOr(Schema.String),
  host: Schema.String,
})

const Again = Schema.Struct({
  /** A path from the root, or an address; null for what came through a pipe. */
  source: Schema.NullOr(Schema.String),
  /** The GUID of an episode. */
  episode: Schema.NullOr(Schema.String),
  engine: Schema.NullOr(Schema.String),
  quality_explicit: Schema.Boolean,
  word_level: Schema.Boolean,
  /** Each channel is one speaker: only where that was asked for. */
  channels: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** Where its results were to go. */
  places: Schema.Array(Schema.Struct({ format: Schema.String, path: Schema.String })),
})

export const Head = Schema.Struct({
  version: Schema.Literal(1),
  job: Schema.encodedSchema(JobSummary),
  again: Again,
  /** What decided about its words and extras: whatever has the same one needs no work. Not of what nobody heard. */
  key: Schema.optionalWith(Schema.String, { exact: true }),
  /** The same, of what was heard alone: only where extras were made of it. */
  heard: Schema.optionalWith(Schema.String, { exact: true }),
  /** How large the media was: no other size has its key. */
  bytes: Schema.optionalWith(Schema.Number, { exact: true }),
  /** What was heard, by the bytes of the media alone. Entries of earlier versions have none. */
  unopened: Schema.optionalWith(Schema.String, { exact: true }),
  /** What captions call the speakers, by the labels that its lines have. Older entries have the names in their lines. */
  speakers: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.String }), { exact: true }),
  run: Schema.NullOr(Run),
})
export type Head = typeof Head.Type

const Time = Schema.NullOr(Schema.Number)

/** The part of a head that tells which recording it is of, and how well it was heard. */
export const Recording = Schema.Struct({
  job: Schema.Struct({
    id: Schema.String,
    duration_seconds: Time,
    options: Schema.Struct({ start_at: Time, end_at: Time, diarize: Schema.Boolean }),
  }),
  again: Again.pick("source", "episode", "channels"),
  bytes: Head.fields.bytes,
})
export type Recording = typeof Recording.Type

/** What its speakers are called, by their labels. */
export const namesIn = ({ speakers = {} }: Head): Readonly<Record<string, string>> => speakers

const Results = Schema.Struct({ results: Schema.Array(Schema.String) })

/** The paths that its results were written to. */
export const resultsIn = (metadata: unknown): ReadonlyArray<string> =>
  Schema.is(Results)(metadata) ? metadata.results : []
