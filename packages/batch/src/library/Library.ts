/** What is asked of a library, and what it answers: the words of the wire, so that a server can be one too. */
import type {
  Answer,
  SearchResults,
  Transcription,
  TranscriptionList,
  TranscriptionSummary,
  TranscriptionsListQuery,
  TranscriptionsSearchAllQuery,
} from "@earmark/api/client"
import type { Export } from "@earmark/core/captions"
import type { EditOperation } from "@earmark/core/edits"
import type { ExtrasRequest, JobCounts, TranscriptExtras, TranscriptWords } from "@earmark/core/wire"
import type { ExtraStaff } from "@earmark/service"
import type { FileSystem, Path } from "@effect/platform"
import type { Effect } from "effect"
import type { NewNames } from "../Asked.js"
import type { Answering } from "./askEntries.js"
import type { EditableTranscript, EditMade } from "./editEntry.js"
import type { StoredRevision } from "./editsFile.js"
import type { ExportWanted } from "./exportEntry.js"
import type { Head } from "./Head.js"
import type { LibraryRefused } from "./LibraryRefused.js"
import type { Rewritten } from "./rewriteResults.js"
import type { PatternQuery } from "./searchPattern.js"

/** What is asked of a list. Of files also what was stopped, which is among the failed otherwise. */
export interface LibraryQuery extends Omit<TranscriptionsListQuery, "status"> {
  readonly status?: TranscriptionsListQuery["status"] | "canceled"
}

/** What every library can do, whoever keeps it. */
export interface Readable<E> {
  /** The id that is meant: the beginning is enough where no other one begins so. */
  readonly idOf: (given: string) => Effect.Effect<string, E>
  readonly list: (query: LibraryQuery) => Effect.Effect<TranscriptionList, E>
  /** The ids of transcripts that a better or newer one of the same recording stands in for, where that is known. */
  readonly superseded?: Effect.Effect<ReadonlySet<string>, E>
  /** With `wait` once it has ended. */
  readonly show: (id: string, wait: boolean) => Effect.Effect<Transcription, E>
  readonly cancel: (id: string) => Effect.Effect<TranscriptionSummary, E>
  /** Gives speakers names, which exports and searches show. */
  readonly name: (id: string, names: NewNames) => Effect.Effect<TranscriptionSummary, E>
  readonly export: (id: string, wanted: ExportWanted) => Effect.Effect<Iterable<string | Uint8Array>, E>
  /** In one transcript, or in all of them (null). */
  readonly search: (id: string | null, query: TranscriptionsSearchAllQuery) => Effect.Effect<SearchResults, E>
  /** Answers a question from one transcript, or from all of them (null). */
  readonly ask: (id: string | null, question: string) => Effect.Effect<Answer, E>
  /** The lines that a regular expression fits, without pages. */
  readonly searchPattern: (id: string | null, query: PatternQuery) => Effect.Effect<SearchResults, E>
}

/** Corrections of finished transcripts: each is a revision, and none is ever lost. */
export interface Editing<E, Revision> {
  /** The newest transcript, or that of a revision, with the names of its speakers. */
  readonly editable: (id: string, revision?: number) => Effect.Effect<EditableTranscript, E>
  /** Applies all operations as one revision, if the newest one is still the one that they were made for. */
  readonly edit: (
    id: string,
    base: number,
    operations: ReadonlyArray<EditOperation>,
  ) => Effect.Effect<EditMade, E>
  /** Takes an earlier revision back, as a new one. */
  readonly undoEdit: (id: string, revision: number) => Effect.Effect<EditMade, E>
  /** The revisions, newest first. */
  readonly edits: (id: string) => Effect.Effect<ReadonlyArray<Revision>, E>
}

/** What was tried again. */
export interface Retried {
  readonly job: TranscriptionSummary
  /** The extras that could not be made before. Files that were written stay as they are. */
  readonly lacked: ReadonlyArray<string>
}

/** Which parts of a transcript are shown, and as it was when. */
export interface ShownParts {
  /** The words of each line with their times. */
  readonly words?: boolean
  /** The newest when left out; 0 is what was heard. */
  readonly revision?: number | undefined
  /** The language of the translation; the first one when left out. */
  readonly translation?: string | undefined
}

/** The library of files. */
export interface Library
  extends Omit<Readable<LibraryRefused>, "ask" | "show">,
    Editing<LibraryRefused, StoredRevision> {
  /** Writes the files anew that were written from it before, unless somebody has changed them since. */
  readonly rewrite: (
    id: string,
  ) => Effect.Effect<Rewritten, LibraryRefused, FileSystem.FileSystem | Path.Path>
  /** With `wait` once it has ended. */
  readonly show: (
    id: string,
    wait: boolean,
    parts?: ShownParts,
  ) => Effect.Effect<Transcription, LibraryRefused>
  /** The path or address of the source, where that is known. */
  readonly sourceOf: (id: string) => Effect.Effect<string | null, LibraryRefused>
  /** The times of the words; refused where there are none. */
  readonly words: (id: string) => Effect.Effect<TranscriptWords, LibraryRefused>
  /** The same as `export`, with the name and the type of the file. */
  readonly exportFile: (id: string, wanted: ExportWanted) => Effect.Effect<Export, LibraryRefused>
  /** Null takes the title away. */
  readonly retitle: (id: string, title: string | null) => Effect.Effect<TranscriptionSummary, LibraryRefused>
  /** Answers a question. Who answers may have a language model; without anybody the passages that fit best do. */
  readonly ask: <E = never>(
    id: string | null,
    question: string,
    answering?: Answering<E>,
  ) => Effect.Effect<Answer, E | LibraryRefused>
  /** Makes extras of the newest text, and keeps them; those that are there already stay. Answers how all of them fare. */
  readonly addExtras: (
    id: string,
    request: ExtrasRequest,
    staff: ExtraStaff,
  ) => Effect.Effect<TranscriptExtras, LibraryRefused>
  /** Transcribes again what failed, or lacks an extra: the work is done by `transcribe`. */
  readonly retry: <E, R>(
    id: string,
    transcribe: (head: Head) => Effect.Effect<void, E, R>,
  ) => Effect.Effect<Retried, E | LibraryRefused, R>
  /** Takes an entry away. Files that were written stay where they are. */
  readonly remove: (id: string) => Effect.Effect<void, LibraryRefused>
  /** Another text each time that an entry came, went, ended, or got further. */
  readonly state: Effect.Effect<string, LibraryRefused>
  readonly count: Effect.Effect<number, LibraryRefused>
  /** How many entries stand how. */
  readonly counts: Effect.Effect<JobCounts, LibraryRefused>
  /** Takes all entries away. Answers how many there were. */
  readonly removeAll: Effect.Effect<number, LibraryRefused>
}
