import * as Schema from "effect/Schema"
import { Chapter, Enrichment, SpokenSegment, Translation, WordTiming } from "./content.js"
import { Failure } from "./failures.js"
import { Count, field, sometimes, Timestamp } from "./fields.js"
import { Integrity } from "./Integrity.js"
import { BatchId, JobId } from "./ids.js"
import { Metadata } from "./metadata.js"
import { Options } from "./options.js"
import { Phase } from "./states.js"
import { Warning } from "./warnings.js"

const sometimesField = <Type, Encoded, Name extends string>(
  name: Name,
  schema: Schema.Schema<Type, Encoded>,
) => sometimes(schema).pipe(Schema.fromKey(name))

/** What a source turned out to be. */
export const SourceKind = Schema.Literal("media", "episode", "social", "upload", "blob")
export type SourceKind = typeof SourceKind.Type

/** Where the media of a job comes from. Stored once resolved: a retry does not pick a newer "latest". */
export const Source = Schema.Struct({
  kind: SourceKind,
  url: sometimes(Schema.String),
  mediaRef: sometimesField("media_ref", Schema.String),
  feedUrl: sometimesField("feed_url", Schema.String),
  episodeGuid: sometimesField("episode_guid", Schema.String),
  publishedAt: sometimesField("published_at", Timestamp),
})
export type Source = typeof Source.Type

/** A source as one text: its address, or the `media_ref` of an upload. */
export const sourceLabel = ({ kind, url, mediaRef, feedUrl }: Source): string =>
  url ?? mediaRef ?? feedUrl ?? kind

/** The source as one text. Older servers leave it out. */
export const SourceLabel = sometimesField("source_label", Schema.String)

/** How the transcript came about. */
export const Origin = Schema.Literal("engine", "captions", "cache")
export type Origin = typeof Origin.Type

const Progress = Schema.Number.pipe(Schema.between(0, 1))

const common = {
  id: JobId,
  title: Schema.NullOr(Schema.String),
  source: Source,
  sourceLabel: SourceLabel,
  options: Options,
  language: Schema.NullOr(Schema.String),
  detectedLanguage: sometimesField(
    "detected_language",
    Schema.Struct({ code: Schema.String, confidence: Schema.Finite }),
  ),
  durationSeconds: field("duration_seconds", Schema.NullOr(Count)),
  wordCount: field("word_count", Schema.NullOr(Count)),
  billedMinutes: field("billed_minutes", Schema.NullOr(Count)),
  cached: Schema.Boolean,
  origin: Schema.NullOr(Origin),
  engine: Schema.NullOr(Schema.String),
  wordTiming: sometimesField("word_timing", Schema.NullOr(WordTiming)),
  metadata: Schema.NullOr(Metadata),
  batchId: field("batch_id", Schema.NullOr(BatchId)),
  createdAt: field("created_at", Timestamp),
  startedAt: field("started_at", Schema.NullOr(Timestamp)),
  expiresAt: field("expires_at", Schema.NullOr(Timestamp)),
  /** When it was given its public addresses; null while nobody else can read it. */
  publishedAt: sometimesField("published_at", Schema.NullOr(Timestamp)),
  enrichment: Enrichment,
  integrity: Schema.NullOr(Integrity),
  warnings: Schema.Array(Warning),
}

const queued = {
  ...common,
  status: Schema.Literal("queued"),
  phase: Phase,
  progress: Progress,
  completedAt: field("completed_at", Schema.Null),
  error: Schema.Null,
  failure: Schema.Null,
}

const failed = {
  ...common,
  status: Schema.Literal("failed"),
  phase: Schema.Null,
  progress: Progress,
  completedAt: field("completed_at", Timestamp),
  error: Schema.String,
  failure: Failure,
}

const done = {
  ...common,
  status: Schema.Literal("done"),
  phase: Schema.Null,
  progress: Schema.Literal(1),
  completedAt: field("completed_at", Timestamp),
  error: Schema.Null,
  failure: Schema.Null,
  durationSeconds: field("duration_seconds", Count),
  wordCount: field("word_count", Count),
  billedMinutes: field("billed_minutes", Count),
  origin: Origin,
  /** How often its transcript was corrected; 0 as it was heard. */
  revision: sometimes(Count),
}

export const QueuedJob = Schema.Struct(queued)
export type QueuedJob = typeof QueuedJob.Type

export const FailedJob = Schema.Struct(failed)
export type FailedJob = typeof FailedJob.Type

/** A finished job without its content. */
export const DoneJobSummary = Schema.Struct(done)
export type DoneJobSummary = typeof DoneJobSummary.Type

/** A finished job with everything that was asked for. */
export const DoneJob = Schema.Struct({
  ...done,
  text: Schema.String,
  segments: Schema.Array(SpokenSegment),
  /** Names by labels, of those who have one. Segments have the labels. */
  speakers: Schema.Record({ key: Schema.String, value: Schema.String }),
  summary: sometimes(Schema.String),
  chapters: sometimes(Schema.Array(Chapter)),
  translation: sometimes(Translation),
})
export type DoneJob = typeof DoneJob.Type

/** The full record of a job, in whatever state it is. */
export const Job = Schema.Union(QueuedJob, FailedJob, DoneJob)
export type Job = typeof Job.Type

/** A job as lists show it: without text, segments and extras. */
export const JobSummary = Schema.Union(QueuedJob, FailedJob, DoneJobSummary)
export type JobSummary = typeof JobSummary.Type
