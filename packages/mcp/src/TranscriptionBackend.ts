import type {
  Acknowledgement,
  Batch,
  BatchCanceled,
  BatchStatus,
  CreateTranscription,
  Credits,
  EpisodeList,
  EpisodesQuery,
  ExportLink,
  ExportRequest,
  Job,
  JobSummary,
  ListQuery,
  Quote,
  QuoteRequest,
  SearchAllQuery,
  SearchAnswer,
  SearchQuery,
  TranscribeFeed,
  UploadHandshake,
  UploadRequest,
} from "@earmark/core/jobs"
import type { Listed } from "@earmark/service"
import { Context, type Effect, type Stream } from "effect"
import type { BackendRefused } from "./BackendRefused.js"
import type { ToolRefused } from "./tools/ToolRefused.js"

type Answer<Value> = Effect.Effect<Value, BackendRefused>

/** A transcript as a file. */
export interface ExportedFile {
  readonly content: Uint8Array
  /** Without parameters. */
  readonly mimeType: string
  readonly filename: string
}

/** Makes a repeat safe. */
export interface Once {
  readonly idempotencyKey: string | undefined
}

/**
 * What the tools are made of: the operations of the REST interface for one account, over HTTP or in this process. Nothing is in a
 * tool that is not in here, and nothing in here that REST cannot do.
 */
export class TranscriptionBackend extends Context.Tag("@earmark/mcp/TranscriptionBackend")<
  TranscriptionBackend,
  {
    /** Where the service is reached, without a slash at the end. */
    readonly baseUrl: string
    readonly create: (request: CreateTranscription, once: Once) => Answer<Acknowledgement>
    /** The whole record; with `waitSeconds` as soon as the job ends, or after so many seconds. Asking again for what has not changed is cheap. */
    readonly get: (id: string, waitSeconds?: number) => Answer<Job>
    readonly list: (query: ListQuery) => Answer<Listed<JobSummary>>
    readonly search: (id: string, query: SearchQuery) => Answer<SearchAnswer>
    readonly searchAll: (query: SearchAllQuery) => Answer<SearchAnswer>
    readonly export: (id: string, request: ExportRequest) => Answer<ExportedFile>
    /** Null where nobody serves the link. */
    readonly exportLink: (id: string, request: ExportRequest) => Answer<ExportLink | null>
    readonly cancel: (id: string) => Answer<JobSummary>
    /** Null where nobody takes the bytes in. */
    readonly beginUpload: (request: UploadRequest) => Answer<UploadHandshake | null>
    /** A handshake and the bytes in one; answers the reference. */
    readonly upload: (
      request: UploadRequest,
      bytes: Stream.Stream<Uint8Array, ToolRefused>,
    ) => Effect.Effect<string, ToolRefused | BackendRefused>
    readonly episodes: (query: EpisodesQuery) => Answer<EpisodeList>
    readonly transcribeFeed: (request: TranscribeFeed, once: Once) => Answer<Batch>
    readonly batch: (id: string) => Answer<BatchStatus>
    readonly cancelBatch: (id: string) => Answer<BatchCanceled>
    readonly quote: (request: QuoteRequest) => Answer<Quote>
    readonly credits: Answer<Credits>
  }
>() {}
