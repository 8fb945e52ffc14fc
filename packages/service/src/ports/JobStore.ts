import type { KeyLimitReached, OutOfCredits } from "@earmark/core/credits"
import type {
  AccountId,
  BatchId,
  JobId,
  JobNotFound,
  JobStatus,
  LanguageCode,
  Phase,
  TransitionRefused,
} from "@earmark/core/jobs"
import type { IdempotencyKey } from "@earmark/core/requests"
import type { WantedWords } from "@earmark/core/text"
import type { JobCounts, Order, PatchTranscription } from "@earmark/core/wire"
import { Context, type Effect, Schema } from "effect"
import type { Content, Finished, JobSource, StoredJob } from "./records.js"
import type { StorageError } from "./StorageError.js"

/** The same key came with another request. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()(
  "IdempotencyKeyReused",
  {},
) {
  override get message() {
    return "This Idempotency-Key was used for another request. Use a new key for a new request."
  }
}

/** The first request with this key is still being worked on. */
export class IdempotencyInProgress extends Schema.TaggedError<IdempotencyInProgress>()(
  "IdempotencyInProgress",
  {},
) {
  override get message() {
    return "A request with this Idempotency-Key is still in progress. Repeat it in a second."
  }
}

export class TooManyJobs extends Schema.TaggedError<TooManyJobs>()("TooManyJobs", { limit: Schema.Int }) {
  override get message() {
    return `No more than ${this.limit} of the jobs of an account may wait at a time. Wait until some have ended, or ask for fewer.`
  }
}

/** Makes a request happen once. The answer is what a repeat gets back, word for word. */
export interface Guard {
  readonly key: IdempotencyKey
  readonly fingerprint: string
  readonly answer: string
  readonly expiresAt: number
}

/** What a guarded write came to: done now, or done before and answered again. */
export type Guarded = { readonly type: "done" } | { readonly type: "replayed"; readonly answer: string }

export type GuardRefused = IdempotencyKeyReused | IdempotencyInProgress

export interface NewJob {
  readonly id: JobId
  readonly account: AccountId
  readonly title: string | null
  readonly source: JobSource
  readonly options: StoredJob["options"]
  readonly metadata: StoredJob["metadata"]
  readonly key: string | null
  /** Made with a test key: heard by the scripted engine, free, and never a result for other jobs. */
  readonly isTest?: boolean
  readonly durationSeconds: number | null
  readonly createdAt: number
  readonly expiresAt: number | null
  /** Credits to hold: the price where the length is known, else 1; 0 without billing. */
  readonly hold: number
}

export interface NewBatch {
  readonly id: BatchId
  readonly account: AccountId
  readonly feedUrl: string
  readonly title: string | null
  readonly createdAt: number
  /** Newest first: holds are taken in this order as far as they fit. */
  readonly jobs: ReadonlyArray<NewJob>
  readonly guard: Guard | null
  /** With its jobs no more than so many of the account may be queued. */
  readonly maxWaiting: number | null
}

export interface StoredBatch {
  readonly id: BatchId
  readonly feedUrl: string
  readonly title: string | null
  readonly total: number
  readonly queued: number
  readonly waitingForCredits: number
  readonly done: number
  readonly failed: number
  /** Mean progress of all jobs, ended ones counting as 1. */
  readonly progress: number
  /** Removing a job leaves what it cost. */
  readonly billedMinutes: number
  readonly createdAt: number
  readonly canceledAt: number | null
}

/** Where a page of a list begins: right after this row. */
export interface Position {
  readonly createdAt: number
  readonly id: string
}

export interface Page<Item> {
  readonly items: ReadonlyArray<Item>
  /** Where the next page begins; null at the end. A page may be short and have a next one. */
  readonly next: Position | null
}

/** Which page of a list is asked for. Rows made at the same moment are in the order of their ids. */
export interface PageRequest {
  readonly limit: number
  readonly after: Position | null
  /** Newest first, unless told otherwise. */
  readonly order?: Order
}

/** From a moment on, and before another. */
export interface TimeSpan {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export interface JobFilter extends PageRequest {
  readonly order: Order
  readonly status?: JobStatus | undefined
  readonly phase?: Phase | undefined
  readonly language?: typeof LanguageCode.Type | undefined
  readonly batch?: BatchId | undefined
  readonly feed?: string | undefined
  readonly createdAfter?: number | undefined
  readonly createdBefore?: number | undefined
  /** Part of the title, case folded. */
  readonly q?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

export interface Usage {
  /** A day (2026-01-31), a month (2026-01) or the id of a key. */
  readonly group: string
  readonly transcriptions: number
  /** That were transcribed, billed or not. */
  readonly minutes: number
  readonly credits: number
}

/** A job among those of its account, newest first. */
export interface FoundJob extends Position {
  readonly id: JobId
}

/** A transcript that may hold what is searched. */
export interface SearchCandidate {
  readonly job: StoredJob
  /** Whether the words of its segments are left out, which say when each is said. */
  readonly isWithoutTimes: boolean
  readonly content: Pick<Content, "language" | "segments">
}

export interface SearchFilter {
  /** What its indexed words must hold, as `mayHold` of core has it. */
  readonly words: WantedWords
  readonly feed?: string | undefined
  readonly createdAfter?: number | undefined
  readonly createdBefore?: number | undefined
  /** Where to go on: this transcript, when it is still there, and those that come after it. */
  readonly from?: Position | undefined
  /** So many where there are, and more only where they came along. */
  readonly limit: number
}

export interface HoldingFilter {
  /** For each thing that may answer, which words a transcript must hold. */
  readonly beginnings: ReadonlyArray<WantedWords>
  readonly batch?: BatchId | undefined
  readonly limit: number
}

/** Transcripts that may answer a question. */
export interface Holding {
  /** How many there are, whether they hold anything or not. */
  readonly total: number
  /** Best first. */
  readonly ids: ReadonlyArray<JobId>
}

/** Where a job stands, as far as those need to know who wait for it. */
export interface Standing {
  readonly id: JobId
  readonly version: number
  readonly isEnded: boolean
  /** How many spans of it are stored. */
  readonly spans: number
}

/** How a job stands, as far as lists show it while it runs. */
export interface JobStep {
  readonly id: JobId
  readonly status: JobStatus
  readonly phase: Phase | null
  readonly progress: number
  readonly version: number
}

/** Which jobs of an account may have changed. */
export interface ChangedJobs {
  /** Those that were created or ended at this moment or later, by the clock of the store; null: none for that. */
  readonly since: number | null
  /** Every queued one, instead of those alone that are worked on. */
  readonly queued: boolean
  readonly named: ReadonlyArray<JobId>
  readonly limit: number
}

type Foreign = JobNotFound | StorageError

/**
 * Jobs, batches and transcripts. Every method is one transaction, and takes the account: what belongs to another one does not exist.
 * The store applies `advance` of core to every change of state, and `decide` to every change of credits: it has no rules of its own.
 */
export class JobStore extends Context.Tag("@earmark/service/JobStore")<
  JobStore,
  {
    /**
     * Stores a job that needs work: guard, hold, job and queue entry together, or nothing of it.
     * Of any number of racing calls with one key, one creates; the others get its answer. Refused when the hold does not fit,
     * when it would take the key of the job over its monthly limit, or when `maxWaiting` jobs of the account are queued. Storing the id of an own job again (its answer was lost) changes nothing.
     */
    readonly create: (
      job: NewJob,
      options: { readonly guard: Guard | null; readonly maxWaiting: number | null },
    ) => Effect.Effect<Guarded, GuardRefused | KeyLimitReached | OutOfCredits | TooManyJobs | StorageError>
    /**
     * Stores a job that is done at once (cached or from captions): guard, job, content, event and deliveries together.
     * No hold, no ledger entry. Storing an id again changes nothing.
     */
    readonly createDone: (
      job: NewJob,
      finished: Finished,
      options: { readonly guard: Guard | null },
    ) => Effect.Effect<Guarded, GuardRefused | StorageError>
    /**
     * Stores all jobs of a whole feed in one step. Holds are taken newest first as far as they fit; the other jobs wait for credits.
     * Refused only when nothing at all is available, `maxWaiting` is passed, or all holds together would take the key over its monthly limit. Its jobs never stand before a single job of the same account.
     * Storing an id again changes nothing.
     */
    readonly createBatch: (
      batch: NewBatch,
    ) => Effect.Effect<Guarded, GuardRefused | KeyLimitReached | OutOfCredits | TooManyJobs | StorageError>
    readonly get: (account: AccountId, id: JobId) => Effect.Effect<StoredJob, Foreign>
    /**
     * Newest first (or oldest), ids deciding between jobs of one moment; stable under inserts: a job is on one page only.
     * `createdAfter` and `createdBefore` do not include their moment; `metadata` compares texts, and numbers and
     * truth values as they are written. The names of speakers may be left out.
     */
    readonly list: (account: AccountId, filter: JobFilter) => Effect.Effect<Page<StoredJob>, StorageError>
    /** How many jobs the account has, by status; of each at most `MOST_COUNTED` are counted. */
    readonly counts: (account: AccountId) => Effect.Effect<JobCounts, StorageError>
    /**
     * Where jobs stand, whosever they are; those that do not exist are left out. One look for all who wait: an id is known to whoever asks
     * because its account was told of it.
     */
    readonly standings: (ids: ReadonlyArray<JobId>) => Effect.Effect<ReadonlyArray<Standing>, StorageError>
    /** How the jobs stand that may have changed, those of the latest start first; and the time by the clock of the store. */
    readonly changed: (
      account: AccountId,
      which: ChangedJobs,
    ) => Effect.Effect<{ readonly now: number; readonly jobs: ReadonlyArray<JobStep> }, StorageError>
    /** The content of a done job; null when it has none (any more). */
    readonly content: (account: AccountId, id: JobId) => Effect.Effect<Content | null, Foreign>
    /** Changes title, metadata and names of speakers, also of a job that has ended. */
    readonly patch: (
      account: AccountId,
      id: JobId,
      patch: PatchTranscription,
    ) => Effect.Effect<StoredJob, Foreign>
    /** Ends a queued job as canceled: state, hold released, event and deliveries, queue entry gone. A worker that has it learns so at its next beat. */
    readonly cancel: (account: AccountId, id: JobId) => Effect.Effect<StoredJob, TransitionRefused | Foreign>
    /** Queues a failed job again as its next run, with the options it was made with and a new hold, which the month of its key must have room for. */
    readonly retry: (
      account: AccountId,
      id: JobId,
      hold: number,
    ) => Effect.Effect<StoredJob, TransitionRefused | KeyLimitReached | OutOfCredits | Foreign>
    /**
     * Cancels the job when it is queued, then takes away everything of it but its ledger entries, its usage, and the events that
     * tell of its end. Answers its upload when no other job can need that any more; it is swept, then, as one that nobody used.
     */
    readonly remove: (account: AccountId, id: JobId) => Effect.Effect<string | null, Foreign>
    readonly batch: (account: AccountId, id: BatchId) => Effect.Effect<StoredBatch | null, StorageError>
    /** The batches of an account, each as `batch` answers it. */
    readonly batches: (
      account: AccountId,
      page: PageRequest,
    ) => Effect.Effect<Page<StoredBatch>, StorageError>
    /** Cancels every queued job of the batch; null when there is no such batch. */
    readonly cancelBatch: (
      account: AccountId,
      id: BatchId,
    ) => Effect.Effect<{ readonly canceled: number; readonly alreadyEnded: number } | null, StorageError>
    /**
     * A finished result for the same media and options: of this account, or of any when its source is public. As a new job would
     * store it: origin `cache`, nothing to bill, and no title of another account. Null once the job that made it is expired or removed.
     */
    readonly cached: (
      account: AccountId,
      cacheKey: string,
    ) => Effect.Effect<(Finished & { readonly title: string | null }) | null, StorageError>
    /** Whether `cached` would find a result, without reading it: asked of every episode of a feed. */
    readonly isCached: (account: AccountId, cacheKey: string) => Effect.Effect<boolean, StorageError>
    /** Which transcripts may hold the words, newest first: every one that does is among them. */
    readonly search: (
      account: AccountId,
      filter: SearchFilter,
    ) => Effect.Effect<ReadonlyArray<FoundJob>, StorageError>
    /** The lines of these, in which the words are looked for: in this order, without those that are gone. */
    readonly candidates: (
      account: AccountId,
      ids: ReadonlyArray<JobId>,
    ) => Effect.Effect<ReadonlyArray<SearchCandidate>, StorageError>
    /**
     * Which transcripts have words that begin so: those with the most and the rarest of them first, the newest first among equals. A word
     * counts by the logarithm of one and how many times fewer transcripts have it than there are.
     */
    readonly holding: (account: AccountId, filter: HoldingFilter) => Effect.Effect<Holding, StorageError>
    /** Done jobs by the moment they were done (`to` is not included), by day or month in UTC, or by key (`none` without one). Removing a job takes nothing of it away. */
    readonly usage: (
      account: AccountId,
      range: { readonly from: number; readonly to: number; readonly groupBy: "day" | "month" | "key" },
    ) => Effect.Effect<ReadonlyArray<Usage>, StorageError>
    /**
     * Fails jobs whose retention (`expired`) or wait for credits (`insufficient_credits`) is over, takes the content of expired ones
     * away, gives up uploads that no other job can need, and forgets idempotency keys past their time. Answers how many jobs it changed: 0 when nothing is left to do.
     */
    readonly sweep: (limit: number) => Effect.Effect<number, StorageError>
  }
>() {}
