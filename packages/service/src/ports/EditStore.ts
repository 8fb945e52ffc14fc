import type { Revision } from "@earmark/core/edits"
import type { AccountId, JobId, JobNotFound } from "@earmark/core/jobs"
import type { Segment } from "@earmark/core/transcripts"
import { Context, type Effect, Schema } from "effect"
import type { Guard, Guarded, GuardRefused } from "./JobStore.js"
import type { StorageError } from "./StorageError.js"

/** Somebody else corrected the transcript since it was read. */
export class RevisionConflict extends Schema.TaggedError<RevisionConflict>()("RevisionConflict", {
  /** The newest. */
  revision: Schema.Int,
}) {
  override get message() {
    return `The transcript is at revision ${this.revision} by now. Read it again, and send your changes with base_revision ${this.revision}.`
  }
}

/** The job has no transcript: not yet, or not any more. */
export class NothingToEdit extends Schema.TaggedError<NothingToEdit>()("NothingToEdit", {}) {}

/** One revision of a transcript. */
export interface StoredRevision {
  /** Counted from 1. */
  readonly revision: number
  readonly change: Revision
  readonly madeAt: number
  /** The key it was made with; null for a program that embeds Earmark. */
  readonly madeBy: string | null
}

export interface NewRevision {
  readonly account: AccountId
  readonly job: JobId
  /** The revision that the change was made on. */
  readonly base: number
  readonly change: Revision
  readonly madeBy: string | null
  /** The lines after it: a search finds their words from now on. */
  readonly lines: ReadonlyArray<Segment>
}

/**
 * Corrections of transcripts. They are only appended, and go with the content of their job, in the same transaction. What was heard
 * stays as it is.
 */
export class EditStore extends Context.Tag("@earmark/service/EditStore")<
  EditStore,
  {
    /**
     * Appends a revision: guard, revision and what a search finds together. The job has that revision then, and a new version. Of
     * racing calls on the same revision one succeeds. Refused when the job is not done, or has no content any more.
     */
    readonly append: (
      revision: NewRevision,
      options: { readonly guard: Guard | null },
    ) => Effect.Effect<Guarded, RevisionConflict | NothingToEdit | JobNotFound | GuardRefused | StorageError>
    /** The first revisions of a job, oldest first, at most so many. None for the job of another account. */
    readonly first: (
      account: AccountId,
      job: JobId,
      count: number,
    ) => Effect.Effect<ReadonlyArray<StoredRevision>, StorageError>
    /** Revisions of a job older than `before`, or the newest of all, newest first, at most so many. */
    readonly latest: (
      account: AccountId,
      job: JobId,
      page: { readonly before: number | null; readonly limit: number },
    ) => Effect.Effect<ReadonlyArray<StoredRevision>, StorageError>
  }
>() {}
