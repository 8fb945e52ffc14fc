/** Where finished transcripts are kept and asked for: at a service, or in the library of this machine. Everything else is the same. */
import type { TranscriptionSummary } from "@earmark/api/client"
import type { ExportWanted, Readable } from "@earmark/batch"
import type { Effect } from "effect"
import type { CommandFailed } from "../CommandFailed.js"

export interface Library extends Readable<CommandFailed> {
  /** A service has put it into the queue then; this machine has done it. */
  readonly retry: (id: string) => Effect.Effect<TranscriptionSummary, CommandFailed>
  /** Answers what is gone, in a sentence. */
  readonly remove: (id: string) => Effect.Effect<string, CommandFailed>
  /** Asks before, with how many there are, where there are any. */
  readonly removeAll: (
    consent: (count: number) => Effect.Effect<void, CommandFailed>,
  ) => Effect.Effect<string, CommandFailed>
  /** An address that gives the file to whoever has it, for a while. */
  readonly exportLink: (
    id: string,
    wanted: ExportWanted,
  ) => Effect.Effect<{ readonly url: string; readonly expires_at: string }, CommandFailed>
}
