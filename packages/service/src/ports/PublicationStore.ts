import type { AccountId, JobId, JobNotFound } from "@earmark/core/jobs"
import type { PublishedFormat } from "@earmark/core/wire"
import { Context, type Effect } from "effect"
import type { StoredJob } from "./records.js"
import type { StorageError } from "./StorageError.js"

/** A transcript that anyone who has its token may read. */
export interface StoredPublication {
  readonly account: AccountId
  readonly job: JobId
  /** What its addresses are made of. */
  readonly token: string
  /** What the lists of its feed are found by; null where the transcript is of no feed. */
  readonly show: string | null
  readonly formats: ReadonlyArray<PublishedFormat>
  readonly publishedAt: number
}

/** A publication with the job that it shows. */
export interface PublishedJob {
  readonly publication: StoredPublication
  readonly job: StoredJob
}

/** Which transcripts are published. A publication goes with its job, which says when it was published, in the same transaction. */
export class PublicationStore extends Context.Tag("@earmark/service/PublicationStore")<
  PublicationStore,
  {
    /**
     * Publishes a job, or gives what is published other formats: token and time stay those of the first call, and of racing calls
     * all are answered one token.
     */
    readonly put: (
      publication: Omit<StoredPublication, "publishedAt">,
    ) => Effect.Effect<StoredPublication, JobNotFound | StorageError>
    readonly get: (account: AccountId, job: JobId) => Effect.Effect<StoredPublication | null, StorageError>
    /** Takes a publication back. Nothing happens where there is none. */
    readonly remove: (account: AccountId, job: JobId) => Effect.Effect<void, StorageError>
    /** By its token alone, for those who have nothing else. */
    readonly find: (token: string) => Effect.Effect<PublishedJob | null, StorageError>
    /** Those of a show, newest job first, at most so many. The names of speakers may be left out. */
    readonly ofShow: (show: string, limit: number) => Effect.Effect<ReadonlyArray<PublishedJob>, StorageError>
  }
>() {}
