/** What is told of one source while the work on it goes on: facts, which a host may say as it likes. */
import type { Phase } from "@earmark/core/jobs"
import type { HearingProgress } from "@earmark/service"
import type { Effect } from "effect"

/** What is worth a line, and changes nothing about the result. */
export type SourceNotice =
  /** A part of the host speaks for itself. */
  | { readonly type: "message"; readonly text: string }
  /** The work goes on with what an earlier run has heard. */
  | { readonly type: "resumed"; readonly source: string }
  /** What is heard cannot be kept for a later run. */
  | { readonly type: "not_resumable"; readonly source: string; readonly detail: string }
  /** The work was stopped, at so many seconds; `folder`: null where nothing could be kept. */
  | {
      readonly type: "source_stopped"
      readonly source: string
      readonly spans: number
      readonly seconds: number
      readonly folder: string | null
    }
  /** Names for speakers that the transcript does not have. */
  | { readonly type: "speakers_missing"; readonly labels: ReadonlyArray<string> }
  /** A server did not take the names. */
  | { readonly type: "speakers_refused"; readonly detail: string }
  /** A server has a job for it already. */
  | { readonly type: "job_resumed"; readonly source: string; readonly job: string }
  /** The job goes on at the server, although this run was stopped. */
  | { readonly type: "job_left"; readonly source: string; readonly job: string; readonly baseUrl: string }

/** What a job goes through, and the way of a file to a server before it. */
export type SourcePhase = Phase | "uploading"

/** Told of one source while the work on it goes on. */
export interface SourceObserver {
  /** As people know the source. */
  readonly name: string
  readonly notice: (notice: SourceNotice) => Effect.Effect<void>
  readonly phase: (phase: SourcePhase) => Effect.Effect<void>
  readonly progress: (progress: HearingProgress) => Effect.Effect<void>
  /** How much of a download that this source waits for is there. */
  readonly download: (bytes: number, total: number) => Effect.Effect<void>
  /** Words as they come, with the time of the first in milliseconds. */
  readonly heard: (start: number, text: string) => Effect.Effect<void>
  /** Nothing more is told of it. */
  readonly end: Effect.Effect<void>
}
