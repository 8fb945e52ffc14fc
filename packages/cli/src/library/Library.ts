/** Where finished transcripts are kept and asked for: at a service, or in the library of this machine. Everything else is the same. */
import type { Transcription, TranscriptionSummary } from "@earmark/api/client"
import type { EditableTranscript, EditMade, ExportWanted, Readable, Rewritten } from "@earmark/batch"
import type { EditOperation } from "@earmark/core/edits"
import type { ExtrasRequest } from "@earmark/core/wire"
import type { FileSystem, Path } from "@effect/platform"
import type { Effect } from "effect"
import type { CommandFailed } from "../CommandFailed.js"
import type { ListedRevision } from "../editing/revisions.js"

export type { EditableTranscript } from "@earmark/batch"

type Files = FileSystem.FileSystem | Path.Path

/** Corrections of finished transcripts. */
interface Editing {
  /** The newest transcript, or that of a revision, with the names of its speakers. */
  readonly editable: (id: string, revision?: number) => Effect.Effect<EditableTranscript, CommandFailed>
  readonly edit: (
    id: string,
    base: number,
    operations: ReadonlyArray<EditOperation>,
  ) => Effect.Effect<EditMade, CommandFailed>
  readonly undoEdit: (id: string, revision: number) => Effect.Effect<EditMade, CommandFailed>
  /** The newest first. */
  readonly edits: (id: string) => Effect.Effect<ReadonlyArray<ListedRevision>, CommandFailed>
  /** Brings files up to date that were written from the transcript. */
  readonly rewrite: (id: string) => Effect.Effect<Rewritten, CommandFailed, Files>
}

export interface Library extends Readable<CommandFailed>, Editing {
  /** Has extras made of the newest text, waits until they are, and answers how all of them fare. */
  readonly addExtras: (
    id: string,
    request: ExtrasRequest,
  ) => Effect.Effect<Pick<Transcription, "enrichment">, CommandFailed>
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
