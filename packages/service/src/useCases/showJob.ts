/** Stored jobs in the shape of the wire. */
import {
  type DoneJob,
  type DoneJobSummary,
  type FailedJob,
  failureOf,
  failureSentence,
  type Job,
  type JobSummary,
  type QueuedJob,
  type SpokenSegment,
  sourceLabel,
  type Translation,
} from "@earmark/core/jobs"
import { alignTranslation, type Segment, type Transcript, textOf } from "@earmark/core/transcripts"
import { DateTime, Either } from "effect"
import type { Content, StoredJob, TranslatedLines } from "../ports/records.js"
import { enrichmentAt, translationTo } from "./laterExtras.js"

const moment = DateTime.unsafeMake<number>

const momentOrNull = (time: number | null) => (time === null ? null : moment(time))

/** Where a job stands, in fields that every job has. */
interface Standing<Status, Phase, Progress, Completed, Error, Failure> {
  readonly status: Status
  readonly phase: Phase
  readonly progress: Progress
  readonly completedAt: Completed
  readonly error: Error
  readonly failure: Failure
}

/** One literal and no spreads: every answer about a job is made here, and each spread copies all its fields. */
const withStanding = <const Status, Phase, const Progress, Completed, Error, Failure>(
  job: StoredJob,
  standing: Standing<Status, Phase, Progress, Completed, Error, Failure>,
) => {
  const { qualityExplicit: _, transcriptText: __, deleteAfterSeconds: ___, ...options } = job.options
  const shown = {
    id: job.id,
    title: job.title,
    source: job.source.shown,
    sourceLabel: sourceLabel(job.source.shown),
    options,
    language: job.language,
    durationSeconds: job.durationSeconds,
    wordCount: job.wordCount,
    billedMinutes: job.billedMinutes,
    cached: job.origin === "cache",
    origin: job.origin,
    engine: job.engine,
    wordTiming: job.wordTiming,
    metadata: job.metadata,
    batchId: job.batch,
    createdAt: moment(job.createdAt),
    startedAt: momentOrNull(job.state.startedAt),
    expiresAt: momentOrNull(job.expiresAt),
    publishedAt: momentOrNull(job.publishedAt),
    enrichment: enrichmentAt(job),
    integrity: job.integrity,
    warnings: job.warnings,
    status: standing.status,
    phase: standing.phase,
    progress: standing.progress,
    completedAt: standing.completedAt,
    error: standing.error,
    failure: standing.failure,
  }
  return job.detectedLanguage === null ? shown : { ...shown, detectedLanguage: job.detectedLanguage }
}

/** A job as lists show it. */
export const showSummary = (job: StoredJob): JobSummary => {
  const { state } = job
  if (state.status === "queued") {
    const { status, phase, progress } = state
    const standing = { status, phase, progress, completedAt: null, error: null, failure: null } as const
    return withStanding(job, standing) satisfies QueuedJob
  }
  const completedAt = moment(state.completedAt)
  if (state.status === "failed") {
    return withStanding(job, {
      status: "failed",
      phase: null,
      progress: state.progress,
      completedAt,
      error: state.detail ?? failureSentence(state.code),
      failure: failureOf(state.code, { attempts: job.attempts, stage: state.stage }),
    }) satisfies FailedJob
  }
  return {
    ...withStanding(job, {
      status: "done",
      phase: null,
      progress: 1,
      completedAt,
      error: null,
      failure: null,
    }),
    durationSeconds: job.durationSeconds ?? 0,
    wordCount: job.wordCount ?? 0,
    billedMinutes: job.billedMinutes ?? 0,
    origin: job.origin ?? "engine",
    revision: job.revision,
  } satisfies DoneJobSummary
}

/** The transcript of a done job, speakers by their labels. */
export const labelledTranscript = (
  job: Pick<StoredJob, "durationSeconds">,
  content: Pick<Content, "language" | "segments">,
): Transcript => ({
  language: content.language,
  duration: (job.durationSeconds ?? 0) * 1000,
  segments: content.segments,
})

/**
 * The lines that a translation stands beside: those of the transcript, or those that it was made from where lines were split, joined or
 * moved since.
 */
const translatedLines = (
  { segments }: Pick<Transcript, "segments">,
  { lines = segments }: Pick<TranslatedLines, "lines">,
) =>
  segments.length === lines.length &&
  segments.every(({ start, end }, at) => start === lines[at]?.start && end === lines[at]?.end)
    ? segments
    : lines

/** The translated lines beside those of the transcript. */
export const translatedSegments = (
  transcript: Transcript,
  translation: TranslatedLines,
): ReadonlyArray<Segment> =>
  Either.match(
    alignTranslation(
      { ...transcript, segments: translatedLines(transcript, translation) },
      translation.language,
      translation.texts,
    ),
    {
      onLeft: () => [],
      onRight: (aligned) => aligned.transcript.segments,
    },
  )

const lineOf = ({ start, end, speaker, text }: Segment) => ({ start, end, speaker, text })

const showSegment = (segment: Segment, withWords: boolean): SpokenSegment => ({
  ...lineOf(segment),
  ...(segment.edited && { edited: segment.edited }),
  ...(withWords && { words: segment.words.map(({ speaker, ...word }) => ({ ...word, speaker })) }),
})

const showTranslation = (transcript: Transcript, translation: TranslatedLines): Translation => {
  const segments = translatedSegments(transcript, translation)
  return { language: translation.language, text: textOf(segments), segments: segments.map(lineOf) }
}

interface ShownParts {
  readonly words: boolean
  /** The language of the translation; the first one when left out. */
  readonly translation?: string | undefined
}

/** What a done job shows beside its summary. */
export const showContent = (
  job: Pick<StoredJob, "durationSeconds" | "speakerNames">,
  content: Content,
  options: ShownParts,
): Pick<DoneJob, "text" | "segments" | "speakers" | "summary" | "chapters" | "translation"> => {
  const transcript = labelledTranscript(job, content)
  const translation = translationTo(content, options.translation)
  return {
    text: content.text,
    segments: transcript.segments.map((segment) => showSegment(segment, options.words)),
    speakers: job.speakerNames,
    ...(content.summary !== null && { summary: content.summary }),
    ...(content.chapters !== null && { chapters: content.chapters }),
    ...(translation !== null && { translation: showTranslation(transcript, translation) }),
  }
}

/** The full record of a job, with its content when it is done. */
export const showJob = (job: StoredJob, content: Content | null, options: ShownParts): Job => {
  const summary = showSummary(job)
  if (summary.status !== "done") return summary
  if (content === null) return { ...summary, text: "", segments: [], speakers: job.speakerNames }
  return { ...summary, ...showContent(job, content, options) } satisfies DoneJob
}
