import type { JobId } from "@earmark/core/jobs"
import { Context, type Effect } from "effect"
import type { Claimed } from "./JobQueue.js"
import type { StorageError } from "./StorageError.js"

/** An entry on its way to a worker. The token is good for one acceptance. */
export interface Dispatched {
  readonly job: JobId
  readonly token: string
}

/**
 * Where entries leave the store, in their turn, for another queue to carry to workers. The store stays the owner of each: what is lost on the
 * way comes back.
 */
export class JobOutbox extends Context.Tag("@earmark/service/JobOutbox")<
  JobOutbox,
  {
    /**
     * Takes up to `want` entries out, chosen as `JobQueue.claim` chooses and counted under its cap. They are for nobody yet, and no attempt
     * begins. What nobody accepts within so many seconds is ready again after `JobQueue.reapExpired`.
     */
    readonly dispatch: (options: {
      readonly want: number
      readonly cap: number
      readonly seconds: number
    }) => Effect.Effect<ReadonlyArray<Dispatched>, StorageError>
    /**
     * Makes leases of entries that were dispatched, in the given order; attempts count here. An entry is accepted once: those that somebody
     * else accepted, that ran out, came back or were ended are left out.
     */
    readonly accept: (
      dispatched: ReadonlyArray<Dispatched>,
      options: { readonly worker: string; readonly leaseSeconds: number },
    ) => Effect.Effect<ReadonlyArray<Claimed>, StorageError>
    /** Entries that will reach nobody are ready again at once. Those that are not dispatched any more stay as they are. */
    readonly giveBack: (dispatched: ReadonlyArray<Dispatched>) => Effect.Effect<void, StorageError>
  }
>() {}
