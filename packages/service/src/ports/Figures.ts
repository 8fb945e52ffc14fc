import type { Phase } from "@earmark/core/jobs"
import { Context, type Effect } from "effect"
import type { QueueStats } from "./JobQueue.js"
import type { StorageError } from "./StorageError.js"

/** How much of everything there is, over all accounts. */
export interface StoreFigures {
  /** Queued jobs by what they are doing; phases without a job are left out. */
  readonly phases: Readonly<Partial<Record<Phase, number>>>
  readonly queue: QueueStats
  readonly deliveries: {
    readonly pending: number
    readonly delivering: number
    /** For how long the oldest one that is due has been due, in seconds. */
    readonly overdueSeconds: number
  }
  readonly credits: { readonly accounts: number; readonly posted: number; readonly held: number }
}

/** What operators want to know of a store: whether it works, and how much there is in it. */
export class Figures extends Context.Tag("@earmark/service/Figures")<
  Figures,
  {
    /** At one moment, and at the cost of what is open: ended jobs cost nothing. */
    readonly read: Effect.Effect<StoreFigures, StorageError>
    /** Fails while the store cannot be reached, or takes no writes. It writes nothing. */
    readonly requireWritable: Effect.Effect<void, StorageError>
  }
>() {}
