import type { AudioWindow, WorkFailed } from "@earmark/service"
import type { Effect } from "effect"
import type { Heard } from "../heard.js"

/** What a window is to be heard with. */
export interface RecognizeOptions {
  readonly language: string | null
  readonly quality: "fast" | "accurate"
  readonly vocabulary: ReadonlyArray<string>
}

/** An engine at work in a process of its own. It hears one window at a time. */
export interface EngineProcess<Answer = Heard> {
  readonly recognize: (window: AudioWindow, options: RecognizeOptions) => Effect.Effect<Answer, WorkFailed>
  /** Memory it holds at the moment; null where that cannot be told. */
  readonly residentBytes: Effect.Effect<number | null>
}
