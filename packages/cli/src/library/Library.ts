/** Where finished transcripts are kept and asked for: at a service, or in the library of this machine. Everything else is the same. */
import type {
  Answer,
  SearchResults,
  Transcription,
  TranscriptionList,
  TranscriptionSummary,
  TranscriptionsListQuery,
  TranscriptionsSearchAllQuery,
} from "@earmark/api/client"
import type { ExportFormat } from "@earmark/core/captions"
import type { CaptionProfile } from "@earmark/core/wire"
import type { Effect } from "effect"
import type { CommandFailed } from "../CommandFailed.js"
import type { PatternQuery } from "./searchPattern.js"
import type { NewNames } from "./speakerNames.js"

/** How a transcript is written. */
export interface Wanted {
  readonly format: ExportFormat
  readonly word_level: boolean
  readonly speakers: boolean
  /** What this file calls speakers, beside the names that they have. */
  readonly names?: NewNames | undefined
  readonly profile: CaptionProfile | undefined
  readonly max_chars_per_line?: number | undefined
  readonly max_lines?: number | undefined
  readonly language: string | undefined
}

/** What is asked of a list. Of this machine also what somebody stopped, which is among the failed otherwise. */
export interface LibraryQuery extends Omit<TranscriptionsListQuery, "status"> {
  readonly status?: TranscriptionsListQuery["status"] | "canceled"
}

export interface Library {
  /** The id that is meant: on this machine its beginning is enough where no other one begins so. */
  readonly idOf: (given: string) => Effect.Effect<string, CommandFailed>
  readonly list: (query: LibraryQuery) => Effect.Effect<TranscriptionList, CommandFailed>
  /** With `wait` once it has ended. */
  readonly show: (id: string, wait: boolean) => Effect.Effect<Transcription, CommandFailed>
  readonly cancel: (id: string) => Effect.Effect<TranscriptionSummary, CommandFailed>
  /** A service has put it into the queue then; this machine has done it. */
  readonly retry: (id: string) => Effect.Effect<TranscriptionSummary, CommandFailed>
  /** Gives speakers names, which exports and searches show. */
  readonly name: (id: string, names: NewNames) => Effect.Effect<TranscriptionSummary, CommandFailed>
  /** Answers what is gone, in a sentence. */
  readonly remove: (id: string) => Effect.Effect<string, CommandFailed>
  /** Asks before, with how many there are, where there are any. */
  readonly removeAll: (
    consent: (count: number) => Effect.Effect<void, CommandFailed>,
  ) => Effect.Effect<string, CommandFailed>
  readonly export: (id: string, wanted: Wanted) => Effect.Effect<Iterable<string | Uint8Array>, CommandFailed>
  /** An address that gives the file to whoever has it, for a while. */
  readonly exportLink: (
    id: string,
    wanted: Wanted,
  ) => Effect.Effect<{ readonly url: string; readonly expires_at: string }, CommandFailed>
  /** In one transcript, or in all of them (null). */
  readonly search: (
    id: string | null,
    query: TranscriptionsSearchAllQuery,
  ) => Effect.Effect<SearchResults, CommandFailed>
  /** Answers a question from one transcript, or from all of them (null). */
  readonly ask: (id: string | null, question: string) => Effect.Effect<Answer, CommandFailed>
  /** The lines that a regular expression fits, without pages. */
  readonly searchPattern: (
    id: string | null,
    query: PatternQuery,
  ) => Effect.Effect<SearchResults, CommandFailed>
  /** The path or address of the source, where this machine knows it. */
  readonly sourceOf: (id: string) => Effect.Effect<string | null, CommandFailed>
}
