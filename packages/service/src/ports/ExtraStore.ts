import type { AccountId, JobId, JobNotFound } from "@earmark/core/jobs"
import { Context, type Effect, type Stream } from "effect"
import type { NothingToEdit } from "./EditStore.js"
import type { ChapterMark, StoredJob } from "./records.js"
import type { StorageError } from "./StorageError.js"

/** An extra of a transcript. Of translations each language is one of its own. */
export type ExtraName =
  | { readonly kind: "summary" | "chapters"; readonly language: null }
  | { readonly kind: "translation"; readonly language: string }

export type ExtraValue =
  | { readonly kind: "summary"; readonly language: null; readonly value: string }
  | { readonly kind: "chapters"; readonly language: null; readonly value: ReadonlyArray<ChapterMark> }
  | { readonly kind: "translation"; readonly language: string; readonly value: ReadonlyArray<string> }

/** An extra that was made after its job was done. */
export type MadeExtra = ExtraValue & {
  /** The revision of the transcript that it was made from. */
  readonly revision: number
}

/** How the making of an extra ended. */
export type ExtraOutcome =
  | {
      readonly status: "done"
      readonly made: MadeExtra
      /** Whether lines of a translation are missing. */
      readonly isIncomplete: boolean
    }
  | { readonly status: "failed"; readonly error: string; readonly revision: number }

/** The right to make an extra, until it runs out. */
export interface ExtraLease {
  readonly job: JobId
  readonly name: ExtraName
  readonly token: string
}

export interface ClaimedExtra {
  readonly lease: ExtraLease
  readonly job: StoredJob
  /** 1 for the first time that it is taken up since it was asked for. */
  readonly attempt: number
}

/**
 * Extras that are asked for after a job is done: what is to be made, and what was made. They go with the content of their job. How each
 * fares stands in the `enrichment` of the job, and every change of it is a new version of the job.
 */
export class ExtraStore extends Context.Tag("@earmark/service/ExtraStore")<
  ExtraStore,
  {
    /**
     * Asks for extras. What is being made already is not begun again; what was made before stays until the new one is there. Refused when the
     * job is not done, or has no content any more. Answers the job as it is then.
     */
    readonly ask: (
      account: AccountId,
      job: JobId,
      names: ReadonlyArray<ExtraName>,
    ) => Effect.Effect<StoredJob, NothingToEdit | JobNotFound | StorageError>
    /** The extras of a job that were made. None for the job of another account. */
    readonly made: (account: AccountId, job: JobId) => Effect.Effect<ReadonlyArray<MadeExtra>, StorageError>
    /** Takes up to `want` extras that are to be made, each for one worker at a time. Accounts take turns; the oldest of an account goes first. */
    readonly claim: (options: {
      readonly want: number
      readonly leaseSeconds: number
    }) => Effect.Effect<ReadonlyArray<ClaimedExtra>, StorageError>
    /** Prolongs a lease; false when it is lost. */
    readonly extend: (lease: ExtraLease, leaseSeconds: number) => Effect.Effect<boolean, StorageError>
    /** Gives an extra back: it can be claimed at once, and this attempt does not count. */
    readonly release: (lease: ExtraLease) => Effect.Effect<void, StorageError>
    /** Keeps what was made, or why nothing was; false when the lease is lost, and nothing was written. */
    readonly finish: (lease: ExtraLease, outcome: ExtraOutcome) => Effect.Effect<boolean, StorageError>
    /** Something may be claimable. A hint: one may be missing, none needs a reader. */
    readonly wakeUps: Stream.Stream<void>
  }
>() {}
