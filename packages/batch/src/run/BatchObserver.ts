/** What a run tells while it goes on: facts, which a host may say as it likes. */
import type { Effect } from "effect"
import type { Result, UnderWay } from "../results/results.js"
import type { SourceNotice, SourceObserver } from "../work/SourceObserver.js"

/** What is worth a line, and changes nothing about the results. */
export type Notice =
  | SourceNotice
  /** Another run is at it; `isLater`: it is looked at again at the end. */
  | { readonly type: "under_way"; readonly result: UnderWay; readonly isLater: boolean }
  | {
      readonly type: "run_stopped"
      readonly all: number
      readonly results: ReadonlyArray<Result>
    }
  /** A feed is looked at for the first time; so many older episodes are left alone. */
  | { readonly type: "feed_added"; readonly name: string; readonly left: number }
  | { readonly type: "watching_feeds"; readonly count: number }
  | { readonly type: "watching_folder"; readonly folder: string }
  | { readonly type: "index_not_written"; readonly folder: string; readonly detail: string }
  /** The library cannot keep what is made. */
  | { readonly type: "library_unwritable"; readonly detail: string }

/** The number of a source among all of its run, from 1 on. */
export interface Position {
  readonly number: number
  readonly all: number
}

export interface BatchObserver {
  readonly notice: (notice: Notice) => Effect.Effect<void>
  /** Another source is begun; several may be under way. No position where there is only one, or no end. */
  readonly begin: (name: string, position: Position | null) => SourceObserver
  /** How far the whole run is. */
  readonly whole: (over: number, all: number, secondsLeft: number | null) => Effect.Effect<void>
  /** Nothing more is told of the whole run. */
  readonly end: Effect.Effect<void>
}
