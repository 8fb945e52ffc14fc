/** What a program is told of a run while it goes on. */
import type { HearingProgress } from "@earmark/service"
import { Effect } from "effect"
import type { Result } from "./results/results.js"
import type { BatchObserver, Notice, Position } from "./run/BatchObserver.js"
import type { SourcePhase } from "./work/SourceObserver.js"

export type BatchEvent =
  /** Work on a source has begun; several may be under way. */
  | { readonly type: "source_started"; readonly source: string; readonly position: Position | null }
  | { readonly type: "phase"; readonly source: string; readonly phase: SourcePhase }
  | { readonly type: "progress"; readonly source: string; readonly progress: HearingProgress }
  /** Words as they come, with the time of the first in milliseconds. */
  | { readonly type: "heard"; readonly source: string; readonly start: number; readonly text: string }
  | { readonly type: "notice"; readonly notice: Notice }
  /** How a source ended. */
  | { readonly type: "result"; readonly result: Result }
  /** How far the whole run is; no time left where that cannot be told yet. */
  | {
      readonly type: "batch_progress"
      readonly over: number
      readonly all: number
      readonly secondsLeft: number | null
    }

export type OnEvent = (event: BatchEvent) => Effect.Effect<void>

export const observerOf = (onEvent: OnEvent): BatchObserver => {
  const notice = (notice: Notice) => onEvent({ type: "notice", notice })
  return {
    notice,
    begin: (source, position) => {
      let isBegun = false
      /** Of a source that has its result already nothing is told but that. */
      const tell: OnEvent = (event) => {
        if (isBegun) return onEvent(event)
        isBegun = true
        return onEvent({ type: "source_started", source, position }).pipe(Effect.zipRight(onEvent(event)))
      }
      return {
        name: source,
        notice,
        phase: (phase) => tell({ type: "phase", source, phase }),
        progress: (progress) => tell({ type: "progress", source, progress }),
        download: () => Effect.void,
        heard: (start, text) => tell({ type: "heard", source, start, text }),
        end: Effect.void,
      }
    },
    whole: (over, all, secondsLeft) => onEvent({ type: "batch_progress", over, all, secondsLeft }),
    end: Effect.void,
  }
}
