import type {
  Answer,
  SearchResults,
  Transcription,
  TranscriptionList,
  TranscriptionSummary,
} from "@earmark/api/client"
import type { Export } from "@earmark/core/captions"
import type { EditOperation } from "@earmark/core/edits"
import type {
  AccountUpdate,
  EditRevision,
  ExportQuery,
  ExtrasRequest,
  JobCounts,
  JobUpdate,
  ListQuery,
  PatchTranscription,
  ReadQuery,
  SearchAllQuery,
  SearchQuery,
  TranscriptExtras,
  TranscriptWords,
} from "@earmark/core/wire"
import type { OpenedRecording, ToldProblem } from "@earmark/service"
import type { Effect, Stream } from "effect"

type Told<Shown> = Effect.Effect<Shown, ToldProblem>

/** A recording that is on this machine. */
export interface DeskRecording extends OpenedRecording {
  readonly durationSeconds: number | null
  /** Whether browsers that are told to play from a moment begin there. */
  readonly hasExactSeek: boolean
}

/** What a page asks of a library of transcripts that one person has on their machine. Requests as they were read, answers as they are sent. */
export interface LibraryDesk {
  /** Whether a text can be had in another language here. */
  readonly canTranslate: boolean
  readonly list: (query: ListQuery) => Told<TranscriptionList>
  readonly counts: Told<JobCounts>
  readonly get: (id: string, query: ReadQuery) => Told<Transcription>
  readonly words: (id: string) => Told<TranscriptWords>
  readonly update: (id: string, change: PatchTranscription) => Told<TranscriptionSummary>
  readonly remove: (id: string) => Told<void>
  readonly export: (id: string, query: ExportQuery) => Told<Export>
  readonly search: (id: string, query: SearchQuery) => Told<SearchResults>
  readonly searchAll: (query: SearchAllQuery) => Told<SearchResults>
  /** Of one transcript, or of all (null). */
  readonly ask: (id: string | null, question: string) => Told<Answer>
  readonly edit: (id: string, base: number, operations: ReadonlyArray<EditOperation>) => Told<EditedLines>
  readonly undoEdit: (id: string, revision: number) => Told<EditedLines>
  /** All revisions, the newest first. */
  readonly edits: (id: string) => Told<ReadonlyArray<EditRevision>>
  readonly addExtras: (id: string, request: ExtrasRequest) => Told<TranscriptExtras>
  readonly recording: (id: string) => Told<DeskRecording>
  /** The greatest sample of each twentieth of a second, 0 to 255. */
  readonly waveform: (id: string) => Told<Uint8Array>
  /** How an entry that is under way fares, and how it ended, with which the stream ends. */
  readonly follow: (id: string) => Told<Stream.Stream<JobUpdate>>
  /** Told at first, and at each change of an entry. It never ends. */
  readonly changes: Stream.Stream<AccountUpdate>
}

interface EditedLines {
  readonly revision: number
  readonly lines: number
}
