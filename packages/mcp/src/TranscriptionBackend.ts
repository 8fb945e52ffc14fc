import type { Job } from "@earmark/core/jobs"
import type { Answer, JsonOperationId, OperationOf, Request } from "@earmark/core/operations"
import type {
  ExportLink,
  ExportRequest,
  Quote,
  QuoteRequest,
  UploadHandshake,
  UploadRequest,
} from "@earmark/core/wire"
import { Context, type Effect, type Stream } from "effect"
import type { BackendRefused } from "./BackendRefused.js"
import type { ToolRefused } from "./tools/ToolRefused.js"

type Answered<Value> = Effect.Effect<Value, BackendRefused>

/** The operations that are asked as they are declared. The others have a method of their own below. */
export type AskedOperationId = Exclude<
  JsonOperationId,
  "transcriptions.get" | "transcriptions.exportLink" | "uploads.create" | "credits.quote"
>

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
    /** Does an operation of the table. */
    readonly ask: <Id extends AskedOperationId>(
      id: Id,
      request: Request<OperationOf<Id>>,
      once?: Once,
    ) => Answered<Answer<OperationOf<Id>>>
    /** The whole record; with `waitSeconds` as soon as the job ends, or after so many seconds. Asking again for what has not changed is cheap. */
    readonly get: (id: string, waitSeconds?: number) => Answered<Job>
    readonly export: (id: string, request: ExportRequest) => Answered<ExportedFile>
    /** Null where nobody serves the link. */
    readonly exportLink: (id: string, request: ExportRequest) => Answered<ExportLink | null>
    /** Null where nobody takes the bytes in. */
    readonly beginUpload: (request: UploadRequest) => Answered<UploadHandshake | null>
    /** A handshake and the bytes in one; answers the reference. */
    readonly upload: (
      request: UploadRequest,
      bytes: Stream.Stream<Uint8Array, ToolRefused>,
    ) => Effect.Effect<string, ToolRefused | BackendRefused>
    readonly quote: (request: QuoteRequest) => Answered<Quote>
  }
>() {}
