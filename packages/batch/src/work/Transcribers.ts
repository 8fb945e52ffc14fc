import type { OptionsSnapshot } from "@earmark/core/jobs"
import type { Fetcher, makeTranscribeAlone, SourceResolver, WorkFailed } from "@earmark/service"
import type { Effect } from "effect"
import type { SourceObserver } from "./SourceObserver.js"

/** What transcribes, for one language. */
export interface Transcriber {
  readonly alone: Effect.Effect.Success<typeof makeTranscribeAlone>
  readonly resolver: SourceResolver["Type"]
  /** False once there are better models for it. */
  readonly isCurrent: () => boolean
}

export interface Transcribers {
  readonly forLanguage: (language: string | null) => Effect.Effect<Transcriber, WorkFailed>
  /** Models have come: what is made from now on uses them. */
  readonly renew: Effect.Effect<void>
  /** Gets the models that are missing for a recording; whether any came. */
  readonly getModels: (options: OptionsSnapshot, observer: SourceObserver) => Effect.Effect<boolean>
  /** Fails where no engine is here, or none that knows the language. */
  readonly listening: (language: string | null) => Effect.Effect<void, WorkFailed>
  /** Asks whether a feed has changed. */
  readonly fetcher: Fetcher["Type"]
}
