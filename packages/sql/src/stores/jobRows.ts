import {
  type AccountId,
  type BatchId,
  type FailureCode,
  type JobId,
  type JobState,
  type Phase,
  queuedAt,
  type Source,
} from "@earmark/core/jobs"
import type { JobSource, NewJob, SourceFacts, StoredJob } from "@earmark/service"
import { DateTime } from "effect"
import type { QueryResultRow } from "pg"
import { timeText, timeTextOrNull } from "../database/values.js"

// The same source, with its one time as text. By hand: schemas would be most of the cost of reading or storing a job.
type ShownSource = Omit<Source, "publishedAt"> & { readonly publishedAt?: string }

interface StoredSource {
  readonly shown: ShownSource
  readonly media_url: string | null
  readonly link: string | null
  readonly identity: string | null
  readonly facts?: SourceFacts
  readonly trace?: string
}

/** A job as the driver hands it over: times in milliseconds, JSON parsed. */
export interface JobRow extends QueryResultRow {
  readonly id: JobId
  readonly account_id: AccountId
  readonly status: "queued" | "done" | "failed"
  readonly phase: Phase | null
  readonly progress: number
  readonly run: number
  readonly started_at: number | null
  readonly waiting_since: number | null
  readonly completed_at: number | null
  readonly failure_code: FailureCode | null
  readonly failure_stage: Phase | null
  readonly failure_detail: string | null
  readonly expired: boolean
  readonly title: string | null
  readonly source: StoredSource
  readonly options: StoredJob["options"]
  readonly metadata: StoredJob["metadata"]
  readonly batch_id: BatchId | null
  readonly key_id: string | null
  readonly is_test: boolean
  readonly origin: StoredJob["origin"]
  readonly engine: string | null
  readonly word_timing: StoredJob["wordTiming"]
  readonly language: string | null
  readonly detected_language: StoredJob["detectedLanguage"]
  readonly duration_seconds: number | null
  readonly word_count: number | null
  readonly billed_minutes: number | null
  readonly enrichment: StoredJob["enrichment"]
  readonly integrity: StoredJob["integrity"]
  readonly warnings: StoredJob["warnings"]
  readonly speaker_names: StoredJob["speakerNames"]
  readonly attempts: number
  readonly created_at: number
  readonly expires_at: number | null
  readonly published_at: number | null
  /** Null in rows from before there were revisions. */
  readonly revision: number | null
  readonly version: number
}

const sourceOf = ({ publishedAt, ...shown }: ShownSource): Source =>
  publishedAt === undefined ? shown : { ...shown, publishedAt: DateTime.unsafeMake(publishedAt) }

const storedSource = ({ publishedAt, ...shown }: Source): ShownSource =>
  publishedAt === undefined ? shown : { ...shown, publishedAt: DateTime.formatIso(publishedAt) }

const stateOf = (row: JobRow): JobState => {
  const { run, progress, started_at: startedAt, expired } = row
  const completedAt = row.completed_at ?? 0
  switch (row.status) {
    case "queued":
      return {
        status: "queued",
        phase: row.phase ?? "waiting",
        progress,
        run,
        startedAt,
        waitingSince: row.waiting_since,
      }
    case "done":
      return { status: "done", progress: 1, run, startedAt, completedAt, expired }
    case "failed": {
      const code = row.failure_code ?? "internal_error"
      const stage = row.failure_stage ?? "waiting"
      const detail = row.failure_detail
      return { status: "failed", code, stage, detail, progress, run, startedAt, completedAt, expired }
    }
  }
}

export const jobOf = (row: JobRow): StoredJob => ({
  id: row.id,
  account: row.account_id,
  state: stateOf(row),
  title: row.title,
  source: {
    shown: sourceOf(row.source.shown),
    mediaUrl: row.source.media_url,
    link: row.source.link,
    identity: row.source.identity,
    ...(row.source.facts === undefined ? {} : { facts: row.source.facts }),
    ...(row.source.trace === undefined ? {} : { trace: row.source.trace }),
  },
  options: row.options,
  metadata: row.metadata,
  batch: row.batch_id,
  key: row.key_id,
  isTest: row.is_test,
  origin: row.origin,
  engine: row.engine,
  wordTiming: row.word_timing,
  language: row.language,
  detectedLanguage: row.detected_language,
  durationSeconds: row.duration_seconds,
  wordCount: row.word_count,
  billedMinutes: row.billed_minutes,
  enrichment: row.enrichment,
  integrity: row.integrity,
  warnings: row.warnings,
  speakerNames: row.speaker_names,
  attempts: row.attempts,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  publishedAt: row.published_at,
  revision: row.revision ?? 0,
  version: row.version,
})

const stateColumns = (state: JobState) => ({
  status: state.status,
  phase: state.status === "queued" ? state.phase : null,
  progress: state.progress,
  run: state.run,
  started_at: timeTextOrNull(state.startedAt),
  waiting_since: state.status === "queued" ? timeTextOrNull(state.waitingSince) : null,
  completed_at: state.status === "queued" ? null : timeText(state.completedAt),
  failure_code: state.status === "failed" ? state.code : null,
  failure_stage: state.status === "failed" ? state.stage : null,
  failure_detail: state.status === "failed" ? state.detail : null,
  expired: state.status !== "queued" && state.expired,
})

/** What may change after creation; the rest of a job is written once. */
const changingColumns = (job: StoredJob) => ({
  ...stateColumns(job.state),
  title: job.title,
  // The case folding of JavaScript, so that every store finds the same titles.
  title_folded: job.title?.toLowerCase() ?? null,
  metadata: job.metadata,
  origin: job.origin,
  engine: job.engine,
  word_timing: job.wordTiming,
  language: job.language,
  detected_language: job.detectedLanguage,
  duration_seconds: job.durationSeconds,
  word_count: job.wordCount,
  billed_minutes: job.billedMinutes,
  enrichment: job.enrichment,
  integrity: job.integrity,
  warnings: job.warnings,
  speaker_names: job.speakerNames,
  attempts: job.attempts,
  expires_at: timeTextOrNull(job.expiresAt),
  revision: job.revision,
  version: job.version,
})

/** The columns of `changedRow`, in the order of an UPDATE. */
export const CHANGING_COLUMNS: ReadonlyArray<keyof ReturnType<typeof changingColumns>> = [
  "status",
  "phase",
  "progress",
  "run",
  "started_at",
  "waiting_since",
  "completed_at",
  "failure_code",
  "failure_stage",
  "failure_detail",
  "expired",
  "title",
  "title_folded",
  "metadata",
  "origin",
  "engine",
  "word_timing",
  "language",
  "detected_language",
  "duration_seconds",
  "word_count",
  "billed_minutes",
  "enrichment",
  "integrity",
  "warnings",
  "speaker_names",
  "attempts",
  "expires_at",
  "revision",
  "version",
]

/** The columns that lists read: all that a job is made of, but the names of its speakers, which lists do not show and which may be long. */
export const LISTED_COLUMNS = [
  "id",
  "account_id",
  "source",
  "options",
  "batch_id",
  "key_id",
  "is_test",
  "created_at",
  "published_at",
  ...CHANGING_COLUMNS.filter((column) => column !== "title_folded" && column !== "speaker_names"),
  "'{}'::jsonb AS speaker_names",
].join(", ")

/** A changed job as JSON for `jsonb_populate_recordset(NULL::job, ...)`. */
export const changedRow = (job: StoredJob) => ({ id: job.id, ...changingColumns(job) })

export const sourceColumn = ({ shown, mediaUrl, link, identity, facts, trace }: JobSource): StoredSource => ({
  shown: storedSource(shown),
  media_url: mediaUrl,
  link,
  identity,
  ...(facts === undefined ? {} : { facts }),
  ...(trace === undefined ? {} : { trace }),
})

/** A new job as JSON for `jsonb_populate_record(NULL::job, ...)`. */
export const newRow = (job: StoredJob) => ({
  ...changedRow(job),
  account_id: job.account,
  source: sourceColumn(job.source),
  feed_url: job.source.shown.feedUrl ?? null,
  options: job.options,
  batch_id: job.batch,
  key_id: job.key,
  is_test: job.isTest,
  created_at: timeText(job.createdAt),
  published_at: timeTextOrNull(job.publishedAt),
})

/** A new queued job as JSON for `jsonb_populate_record(NULL::job, ...)`; what is left out is null. */
export const freshRow = (job: NewJob) => {
  const { phase, progress, run } = queuedAt(job.createdAt)
  return {
    id: job.id,
    account_id: job.account,
    status: "queued",
    phase,
    progress,
    run,
    expired: false,
    title: job.title,
    title_folded: job.title?.toLowerCase(),
    source: sourceColumn(job.source),
    feed_url: job.source.shown.feedUrl,
    options: job.options,
    metadata: job.metadata,
    key_id: job.key,
    is_test: job.isTest === true,
    language: job.options.language,
    duration_seconds: job.durationSeconds,
    enrichment: {},
    warnings: [],
    speaker_names: {},
    attempts: 0,
    created_at: timeText(job.createdAt),
    expires_at: timeTextOrNull(job.expiresAt),
    version: 1,
  }
}
