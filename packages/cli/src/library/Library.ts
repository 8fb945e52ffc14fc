/** Where finished transcripts are kept and asked for: at a service, or in the library of this machine. Everything else is the same. */
import type { Rewritten, ServerLibrary } from "@earmark/batch"
import type { FileSystem, Path } from "@effect/platform"
import type { Effect } from "effect"
import type { CommandFailed } from "../CommandFailed.js"

export interface Library extends Omit<ServerLibrary<CommandFailed>, "remove"> {
  /** Brings files up to date that were written from the transcript. */
  readonly rewrite: (id: string) => Effect.Effect<Rewritten, CommandFailed, FileSystem.FileSystem | Path.Path>
  /** Answers what is gone, in a sentence. */
  readonly remove: (id: string) => Effect.Effect<string, CommandFailed>
  /** Asks before, with how many there are, where there are any. */
  readonly removeAll: (
    consent: (count: number) => Effect.Effect<void, CommandFailed>,
  ) => Effect.Effect<string, CommandFailed>
}
