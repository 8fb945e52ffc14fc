import * as Schema from "effect/Schema"
import {
  Count,
  field,
  integer,
  integerText,
  optionalField,
  optionalParameter,
  Timestamp,
} from "../jobs/fields.js"
import { BatchId, JobId } from "../jobs/ids.js"
import { optionConflicts, requestedOptions } from "../jobs/options.js"
import { LinkText, requestedKeeping } from "./CreateTranscription.js"
import { CursorText, counts } from "./lists.js"

/** More episodes than this do not become one batch. */
export const LARGEST_BATCH = 5000

/** The query of `GET /podcasts/episodes`. */
export const EpisodesQuery = Schema.Struct({
  feed: LinkText,
  limit: Schema.optionalWith(integerText(1, 200), { default: () => 50 }),
  cursor: optionalParameter(CursorText),
})
export type EpisodesQuery = typeof EpisodesQuery.Type

/** A transcript that the publisher offers beside the audio. */
export const PublishedTranscript = Schema.Struct({
  url: Schema.String,
  type: Schema.NullOr(Schema.String),
  language: Schema.NullOr(Schema.String),
})
export type PublishedTranscript = typeof PublishedTranscript.Type

export const Episode = Schema.Struct({
  title: Schema.NullOr(Schema.String),
  guid: Schema.String,
  publishedAt: field("published_at", Schema.NullOr(Timestamp)),
  durationSeconds: field("duration_seconds", Schema.NullOr(Count)),
  audioUrl: field("audio_url", Schema.String),
  /** 0 is the newest; the number that `episode_index` takes. */
  index: Count,
  link: Schema.NullOr(Schema.String),
  image: Schema.NullOr(Schema.String),
  transcripts: Schema.Array(PublishedTranscript),
})
export type Episode = typeof Episode.Type

export const EpisodeList = Schema.Struct({
  /** What the show is called. Older servers do not tell it. */
  title: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  total: Count,
  returned: Count,
  data: Schema.Array(Episode),
  nextCursor: field("next_cursor", Schema.NullOr(Schema.String)),
})
export type EpisodeList = typeof EpisodeList.Type

/** Which episodes of a feed: the newest, all, or so many of the newest. */
export const EpisodeChoice = Schema.Union(Schema.Literal("latest", "all"), integer(1, 1_000_000))
export type EpisodeChoice = typeof EpisodeChoice.Type

/** The body of `POST /podcasts/transcribe`. */
export const TranscribeFeed = Schema.Struct({
  feed: LinkText,
  episodes: Schema.optionalWith(EpisodeChoice, { default: () => "latest" as const, nullable: true }),
  /** Nothing is created when the estimate is above it. */
  maxCredits: optionalField("max_credits", Count),
  ...requestedOptions,
  ...requestedKeeping,
}).pipe(Schema.filter((request) => optionConflicts(request)))
export type TranscribeFeed = typeof TranscribeFeed.Type

/** Whether the request is for a whole-feed batch, which any purchase unlocks. */
export const isWholeFeed = (episodes: EpisodeChoice): boolean =>
  episodes === "all" || (episodes !== "latest" && episodes > 1)

export const SkipReason = Schema.Literal("no_media", "duplicate", "too_long", "blocked_address")
export type SkipReason = typeof SkipReason.Type

export const Batch = Schema.Struct({
  batchId: field("batch_id", BatchId),
  total: Count,
  transcriptions: Schema.Array(
    Schema.Struct({ id: JobId, title: Schema.String, guid: Schema.String, url: Schema.String }),
  ),
  skipped: Schema.Array(
    Schema.Struct({ guid: Schema.String, title: Schema.NullOr(Schema.String), reason: SkipReason }),
  ),
})
export type Batch = typeof Batch.Type

/** What `GET /batches/{id}` answers. */
export const BatchStatus = Schema.Struct({
  batchId: field("batch_id", BatchId),
  feedUrl: field("feed_url", Schema.String),
  title: Schema.NullOr(Schema.String),
  total: Count,
  ...counts,
  waitingForCredits: field("waiting_for_credits", Count),
  progress: Schema.Number.pipe(Schema.between(0, 1)),
  billedMinutes: field("billed_minutes", Count),
  createdAt: field("created_at", Timestamp),
  canceledAt: field("canceled_at", Schema.NullOr(Timestamp)),
})
export type BatchStatus = typeof BatchStatus.Type

/** What canceling a batch did: jobs that were still queued, and jobs that had ended before. */
export const BatchCanceled = Schema.Struct({
  batchId: field("batch_id", BatchId),
  canceled: Count,
  alreadyEnded: field("already_ended", Count),
})
export type BatchCanceled = typeof BatchCanceled.Type

/** What retrying a batch did. */
export const BatchRetried = Schema.Struct({
  batchId: field("batch_id", BatchId),
  retried: Count.annotations({ description: "how many failed jobs are queued again" }),
  left: Count.annotations({
    description: "how many stay failed: they would fail again, are past their time, or credits were lacking",
  }),
})
export type BatchRetried = typeof BatchRetried.Type
