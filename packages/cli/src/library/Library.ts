/** Where finished transcripts are kept and asked for: at a service, or in the library of this machine. Everything else is the same. */
import type { Rewritten, ServerLibrary } from "@earmark/batch"
import type { FileSystem, Path } from "@effect/platform"
import type { Effect } from "effect"
import type { CommandFailed } from "../CommandFailed.js"

type Files = FileSystem.FileSystem | Path.Path

type Retry = ServerLibrary<CommandFailed>["retry"]

export interface Library extends Omit<ServerLibrary<CommandFailed>, "remove" | "retry"> {
  readonly retry: (
    id: string,
  ) => Effect.Effect<Effect.Effect.Success<ReturnType<Retry>>, CommandFailed, Files>
  /** Brings files up to date that were written from the transcript. */
  readonly rewrite: (id: string) => Effect.Effect<Rewritten, CommandFailed, Files>
  /** Answers what is gone, in a sentence. */
  readonly remove: (id: string) => Effect.Effect<string, CommandFailed>
  /** Asks before, with how many there are, where there are any. */
  readonly removeAll: (
    consent: (count: number) => Effect.Effect<void, CommandFailed>,
  ) => Effect.Effect<string, CommandFailed>
}
