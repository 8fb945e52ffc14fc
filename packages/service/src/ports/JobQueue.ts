import type { OutOfCredits } from "@earmark/core/credits"
import type { FailureCode, JobId, Warning, WorkPhase } from "@earmark/core/jobs"
import type { Word } from "@earmark/core/transcripts"
import { Context, type Effect, Schema, type Stream } from "effect"
import type { Finished, FoundSource, StoredJob } from "./records.js"
import type { StorageError } from "./StorageError.js"

/**
 * The right to work on a job, until it runs out: from that moment on nothing can be written with it, whether or not somebody took
 * the job over.
 */
export interface Lease {
  readonly job: JobId
  readonly token: string
  /** 1 for the first time the job is taken up in this run. */
  readonly attempt: number
}

export interface Claimed {
  readonly lease: Lease
  readonly job: StoredJob
}

/** The lease ran out, or the job was canceled or given to another worker. Nothing was written. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { job: Schema.String }) {
  override get message() {
    return `The work on ${this.job} belongs to somebody else now`
  }
}

/** A finished stretch of a job's media. Written once; a worker that takes over goes on behind the last one. */
export interface Span {
  readonly index: number
  readonly start: number
  readonly end: number
  readonly words: ReadonlyArray<Word>
  /** What the engine said beside the words, so that whoever goes on knows it too; absent where it said nothing. */
  readonly notes?: SpanNotes
}

interface SpanNotes {
  readonly language: { readonly code: string; readonly confidence: number } | null
  readonly warnings: ReadonlyArray<Warning>
  /** Where the times of the words come from; absent where the engine gave them. */
  readonly timing?: "aligned" | "estimated"
  /** How far the words are from their sound, against a decoy; absent where that was not measured. */
  readonly misfit?: number
}

export interface QueueStats {
  readonly ready: number
  readonly scheduled: number
  readonly leased: number
  readonly dead: number
  /** How long the oldest ready entry has waited, in seconds. */
  readonly oldestSeconds: number
}

export interface DeadEntry {
  readonly job: JobId
  readonly account: string
  readonly attempts: number
  readonly reason: string
}

type Fenced = LeaseLost | StorageError

/** Why an attempt failed. */
export interface AttemptFailure {
  readonly code: FailureCode
  /** A sentence for the client about this very job; null, or not said: that of the code. */
  readonly detail?: string | null
  /** When another attempt may help; null: never. */
  readonly retryInSeconds: number | null
}

/**
 * Work, leased and fair. Entries are made by `JobStore` in the transaction that makes the job; here they are taken and given back.
 * Only the clock of the store counts. Every write of a worker carries its lease; one that is lost writes nothing.
 */
export class JobQueue extends Context.Tag("@earmark/service/JobQueue")<
  JobQueue,
  {
    /**
     * Takes up to `want` entries. An entry is held by one worker at a time. Accounts take turns: none has a second job before every other has
     * its first, also when a single slot is all there is, and none runs more than `cap` at once over all workers. Priority, then age,
     * order the work of one account and never that of others. Attempts count here. Entries whose delay is over are taken too; those
     * whose lease ran out come back by `reapExpired`.
     */
    readonly claim: (options: {
      readonly worker: string
      readonly want: number
      readonly cap: number
      readonly leaseSeconds: number
    }) => Effect.Effect<ReadonlyArray<Claimed>, StorageError>
    /** Prolongs leases; answers exactly those that are lost. */
    readonly extend: (
      leases: ReadonlyArray<Lease>,
      leaseSeconds: number,
    ) => Effect.Effect<ReadonlyArray<Lease>, StorageError>
    /** Gives an entry back unfinished: ready at once, and this attempt does not count. */
    readonly release: (lease: Lease) => Effect.Effect<void, Fenced>
    /**
     * The job waits for credits: it is not claimable before `wakeAccount` finds the `credits` it needs, and this attempt does not
     * count.
     */
    readonly park: (
      lease: Lease,
      facts: { readonly credits: number; readonly durationSeconds: number },
    ) => Effect.Effect<void, Fenced>
    /** Sets the hold to the price, once the length of the media is known. Not enough credits: nothing changes. */
    readonly raiseHold: (
      lease: Lease,
      facts: { readonly credits: number; readonly durationSeconds: number },
    ) => Effect.Effect<void, OutOfCredits | Fenced>
    /**
     * Keeps what the source of a job turned out to be that could not be resolved when the job was made: every later attempt works with
     * it. A title or length that the job has already stays. Answers the job as it is then.
     */
    readonly describe: (lease: Lease, found: FoundSource) => Effect.Effect<StoredJob, Fenced>
    /** What readers see of the work. Progress never goes back. */
    readonly report: (
      lease: Lease,
      seen: { readonly phase: WorkPhase; readonly progress: number },
    ) => Effect.Effect<void, Fenced>
    /**
     * Begins with a plan, or goes on with it: answers the spans that were stored under it, in order. Those of another plan are gone:
     * with another engine, other options or other media they do not fit.
     */
    readonly resume: (lease: Lease, plan: string) => Effect.Effect<ReadonlyArray<Span>, Fenced>
    /** Stores a finished span. Storing an index again changes nothing. */
    readonly saveSpan: (lease: Lease, span: Span) => Effect.Effect<void, Fenced>
    /** The spans of a job in order, after an index (-1: all): what a worker resumes from, and what readers follow. */
    readonly spans: (job: JobId, after: number) => Effect.Effect<ReadonlyArray<Span>, StorageError>
    /**
     * Ends the job as done: state, content, settlement, event, deliveries, cache entries under all keys; the entry and its spans are gone. All
     * or nothing.
     */
    readonly complete: (
      lease: Lease,
      finished: Finished,
      options: { readonly cacheKeys: ReadonlyArray<string>; readonly shared: boolean },
    ) => Effect.Effect<void, Fenced>
    /**
     * This attempt failed. With `retryInSeconds` and attempts left the entry becomes claimable again then; else the job ends as failed: state,
     * hold released, event, deliveries, entry gone. All or nothing.
     */
    readonly fail: (lease: Lease, failure: AttemptFailure) => Effect.Effect<"again" | "failed", Fenced>
    /** Takes expired leases back: ready again, or failed with `internal_error` when attempts are spent. Answers how many. */
    readonly reapExpired: (limit: number) => Effect.Effect<number, StorageError>
    /**
     * Makes jobs of an account that wait for credits claimable again, oldest entry first, each with the hold it needs. The first
     * that does not fit ends it. Answers how many.
     */
    readonly wakeAccount: (account: string) => Effect.Effect<number, StorageError>
    /** Makes jobs of any account that wait for credits claimable again, whether or not there are any: for who bills nothing. Answers how many. */
    readonly wakeAll: (limit: number) => Effect.Effect<number, StorageError>
    /** Something may be claimable. A hint: one may be missing, none needs a reader. */
    readonly wakeUps: Stream.Stream<void>
    readonly stats: Effect.Effect<QueueStats, StorageError>
    /** Sets an entry aside whose end cannot be written. Nobody claims it until an operator puts it back. */
    readonly bury: (lease: Lease, reason: string) => Effect.Effect<void, Fenced>
    /** Entries that were set aside; the operator looks at them. */
    readonly dead: (limit: number) => Effect.Effect<ReadonlyArray<DeadEntry>, StorageError>
    /** Puts a dead entry back, with its attempts at zero; false when there is none. */
    readonly requeueDead: (job: JobId) => Effect.Effect<boolean, StorageError>
  }
>() {}
