import { type Export, type ExportRefused, noWordTimes, type PageFacts } from "@earmark/core/captions"
import type { KeyLimitReached, OutOfCredits } from "@earmark/core/credits"
import type { EditRefused } from "@earmark/core/edits"
import {
  type AccountId,
  type AccountNotFound,
  BatchId,
  type Job,
  type JobSummary,
  parseId,
  type TransitionRefused,
} from "@earmark/core/jobs"
import type { CursorInvalid } from "@earmark/core/requests"
import { encodeWords, hasWordTimes } from "@earmark/core/text"
import { wordCountOf } from "@earmark/core/transcripts"
import type {
  Acknowledgement,
  CreateTranscription,
  ExportQuery,
  JobCounts,
  ListQuery,
  MediaRefUnknown,
  PatchTranscription,
  ReadQuery,
  SearchAllQuery,
  SearchAnswer,
  SearchQuery,
  TranscriptWords,
} from "@earmark/core/wire"
import { Context, Duration, Effect, Either, Layer, Option } from "effect"
import { tracedFn } from "../observing/traces.js"
import { Accounts } from "../ports/Accounts.js"
import { type JobFilter, JobStore, type TooManyJobs } from "../ports/JobStore.js"
import type { StoredJob } from "../ports/records.js"
import type { SourceRefused } from "../ports/SourceResolver.js"
import type { StorageError } from "../ports/StorageError.js"
import { ObjectStore } from "../ports/Uploads.js"
import * as TimeLimit from "../TimeLimit.js"
import { Cancellations } from "./Cancellations.js"
import { type Listed, makeCursors } from "./Cursors.js"
import { withCorrectedTimes } from "./correctedTimes.js"
import { makeCreating } from "./creating.js"
import { exportOf } from "./exporting.js"
import { jobAt, makeFinding, millisOf, type Unknown, type Unreadable } from "./finding.js"
import { JobWatch } from "./JobWatch.js"
import { withoutStaleSummary } from "./laterExtras.js"
import { requireFeature } from "./limits.js"
import { makeRetry } from "./makeRetry.js"
import type { Answered, RequestContext } from "./Repeats.js"
import type { FeatureLocked, RepeatRefused, RequestRefused, TranscriptNotReady } from "./refusals.js"
import { ServiceConfig } from "./ServiceConfig.js"
import { makeSearches } from "./searching.js"
import { showJob, showSummary } from "./showJob.js"
import { namesTooMany, speakerMissing } from "./speakerNames.js"

type NoCredits = KeyLimitReached | OutOfCredits | AccountNotFound

/** Everything that keeps a request for work from becoming a job. */
export type CreateRefused =
  | SourceRefused
  | MediaRefUnknown
  | RequestRefused
  | FeatureLocked
  | RepeatRefused
  | TooManyJobs
  | NoCredits
  | StorageError

/** A job as it was found. */
export interface OpenedJob {
  readonly job: JobSummary
  readonly version: number
  /** The full record. */
  readonly read: Effect.Effect<Job, Unreadable>
}

/** How a transcript is written. */
interface ExportAs extends ExportQuery {
  readonly page?: PageFacts
}

/**
 * Use cases of transcription jobs. Ids are taken as any text: a malformed one does not exist, and neither does one of another
 * account.
 */
export class Transcriptions extends Context.Tag("@earmark/service/Transcriptions")<
  Transcriptions,
  {
    /** Makes a job: done at once when the result is cached or in captions, else queued. */
    readonly create: (
      account: AccountId,
      request: CreateTranscription,
      context?: RequestContext,
    ) => Effect.Effect<Answered<Acknowledgement>, CreateRefused>
    /** The job; with `wait` as soon as it ends, or after so many seconds. */
    readonly get: (
      account: AccountId,
      id: string,
      query?: Partial<ReadQuery>,
    ) => Effect.Effect<Job, EditRefused | Unreadable>
    /**
     * The job without its content, and the content for whoever still needs it: the version grows with every change that a reader can
     * see. With `wait` as soon as the job ends, or after so many seconds.
     */
    readonly open: (
      account: AccountId,
      id: string,
      query?: Pick<Partial<ReadQuery>, "wait">,
    ) => Effect.Effect<OpenedJob, Unknown>
    readonly list: (
      account: AccountId,
      query: ListQuery,
    ) => Effect.Effect<Listed<JobSummary>, CursorInvalid | StorageError>
    readonly counts: (account: AccountId) => Effect.Effect<JobCounts, StorageError>
    readonly search: (
      account: AccountId,
      id: string,
      query: SearchQuery,
    ) => Effect.Effect<SearchAnswer, TranscriptNotReady | CursorInvalid | Unreadable>
    /**
     * Over all transcripts of the account. `total` counts the hits in those looked at so far: all of them, unless there are hundreds. A
     * page may be short and have a next one.
     */
    readonly searchAll: (
      account: AccountId,
      query: SearchAllQuery,
    ) => Effect.Effect<SearchAnswer, CursorInvalid | StorageError>
    readonly export: (
      account: AccountId,
      id: string,
      query: ExportAs,
    ) => Effect.Effect<
      Export,
      ExportRefused | EditRefused | FeatureLocked | TranscriptNotReady | AccountNotFound | Unreadable
    >
    /** The times of the words of the transcript. Refused as an export at word level is. */
    readonly words: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<
      TranscriptWords,
      ExportRefused | FeatureLocked | TranscriptNotReady | AccountNotFound | Unreadable
    >
    readonly patch: (
      account: AccountId,
      id: string,
      patch: PatchTranscription,
    ) => Effect.Effect<JobSummary, RequestRefused | Unknown>
    /** A job canceled is failed with `canceled`; a worker that has it stops. */
    readonly cancel: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<JobSummary, TransitionRefused | Unknown>
    /** Queues a failed job again, with the options it was made with. */
    readonly retry: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<JobSummary, TransitionRefused | NoCredits | Unknown>
    /** Takes the job, its text, and its upload when no other job needs it. Cancels it first. */
    readonly remove: (account: AccountId, id: string) => Effect.Effect<void, Unknown>
  }
>() {
  static readonly layer = Layer.effect(
    Transcriptions,
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const accounts = yield* Accounts
      const objects = yield* ObjectStore
      const again = yield* makeRetry
      const cancellations = yield* Cancellations
      const watch = yield* JobWatch
      const config = yield* ServiceConfig
      const cursors = yield* makeCursors
      const { create } = yield* makeCreating
      const { idOf, find, keptContent, contentOf } = yield* makeFinding
      const { search, searchAll } = yield* makeSearches

      const ended = Effect.fnUntraced(function* (account: AccountId, id: string, seconds: number) {
        const job = yield* find(account, id)
        if (job.state.status !== "queued") return job
        const end = watch.until(job.id, (standing) => standing?.isEnded !== false)
        yield* TimeLimit.option(end, Duration.seconds(seconds))
        return yield* find(account, id)
      })

      type Parts = Pick<Partial<ReadQuery>, "include" | "translation" | "revision">

      const readDone = (job: StoredJob, { include, translation, revision }: Parts) =>
        Effect.map(keptContent(job), (content) => {
          // What is stored counts the words of the newest revision.
          const wordCount = revision === undefined ? job.wordCount : wordCountOf(content.segments)
          const shown = withCorrectedTimes({ ...job, wordCount }, content)
          return showJob(shown, content, { words: include === "words", translation })
        })

      const read = (job: StoredJob, parts: Parts = {}): Effect.Effect<Job, Unreadable> =>
        job.state.status === "done"
          ? readDone(job, parts)
          : Effect.sync(() => showJob(job, null, { words: false }))

      const get = tracedFn("Transcriptions.get")(
        (account: AccountId, id: string, { wait = 0, ...parts }: Partial<ReadQuery> = {}) =>
          (wait > 0 ? ended(account, id, wait) : find(account, id)).pipe(
            Effect.flatMap((job) => jobAt(job, parts.revision)),
            Effect.flatMap((job) => read(job, parts)),
          ),
      )

      const open = Effect.fn("Transcriptions.open")(function* (
        account: AccountId,
        id: string,
        { wait = 0 }: Pick<Partial<ReadQuery>, "wait"> = {},
      ) {
        const job = yield* wait > 0 ? ended(account, id, wait) : find(account, id)
        return { job: showSummary(job), version: job.version, read: read(job) }
      })

      const list = Effect.fn("Transcriptions.list")(function* (account: AccountId, query: ListQuery) {
        const { limit: _limit, cursor: _, order, batchId, createdAfter, createdBefore, ...same } = query
        const pages = cursors(
          account,
          "transcriptions",
          { ...same, batchId, createdAfter, createdBefore },
          order,
        )
        const page = yield* pages.page(query)
        const batch = batchId === undefined ? Option.none() : Either.getRight(parseId(BatchId)(batchId))
        if (batchId !== undefined && Option.isNone(batch))
          return pages.listed({ items: [], next: null }, showSummary)
        const filter: JobFilter = {
          ...page,
          ...same,
          batch: Option.getOrUndefined(batch),
          createdAfter: millisOf(createdAfter),
          createdBefore: millisOf(createdBefore),
        }
        return pages.listed(yield* jobs.list(account, filter), showSummary)
      })

      const requireWordLevel = (account: AccountId) =>
        Effect.flatMap(accounts.get(account), (owner) => requireFeature(owner, "word_level_export", config))

      const exportJob = Effect.fn("Transcriptions.export")(function* (
        account: AccountId,
        id: string,
        query: ExportAs,
      ) {
        const job = yield* jobAt(yield* find(account, id), query.revision)
        if (query.wordLevel === true) yield* requireWordLevel(account)
        return yield* exportOf(job, withoutStaleSummary(job, yield* contentOf(job)), query)
      })

      const words = Effect.fn("Transcriptions.words")(function* (account: AccountId, id: string) {
        const job = yield* find(account, id)
        yield* requireWordLevel(account)
        const { segments } = yield* contentOf(job)
        if (!hasWordTimes(segments)) return yield* noWordTimes()
        return encodeWords(segments)
      })

      const patch = Effect.fn("Transcriptions.patch")(function* (
        account: AccountId,
        id: string,
        changes: PatchTranscription,
      ) {
        const { speakers } = changes
        if (speakers !== undefined && speakers !== null) {
          const job = yield* find(account, id)
          // What has no transcript, no more or not yet, is as it was: names wait for it.
          const content =
            job.state.status === "done"
              ? yield* Effect.catchTag(keptContent(job), "JobExpired", () => Effect.succeed(null))
              : null
          const missing = content === null ? null : speakerMissing(content, speakers)
          const refusal = missing ?? namesTooMany(job.speakerNames, speakers)
          if (refusal !== null) return yield* refusal
        }
        return showSummary(yield* jobs.patch(account, yield* idOf(id), changes))
      })

      const cancel = Effect.fn("Transcriptions.cancel")(function* (account: AccountId, id: string) {
        const job = yield* jobs.cancel(account, yield* idOf(id))
        yield* cancellations.announce(job.id)
        return showSummary(job)
      })

      const retry = Effect.fn("Transcriptions.retry")(function* (account: AccountId, id: string) {
        return showSummary(yield* again(yield* find(account, id)))
      })

      const remove = Effect.fn("Transcriptions.remove")(function* (account: AccountId, id: string) {
        const job = yield* find(account, id)
        const upload = yield* jobs.remove(account, job.id)
        yield* cancellations.announce(job.id)
        if (upload !== null) yield* objects.remove(upload)
      })

      return Transcriptions.of({
        create,
        get,
        open,
        list,
        counts: jobs.counts,
        search,
        searchAll,
        export: exportJob,
        words,
        patch,
        cancel,
        retry,
        remove,
      })
    }),
  )
}
