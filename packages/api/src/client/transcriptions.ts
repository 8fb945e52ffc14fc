/** The operations on transcriptions. */
import { type Exporting, exporting, fileOf } from "./ExportedFile.js"
import { type FollowOptions, follow } from "./follow.js"
import { operations } from "./operations.js"
import { pagesOf } from "./Pages.js"
import { chunksOf } from "./readBody.js"
import type { RepeatableOptions, RequestOptions, Transport } from "./Transport.js"
import type { TranscriptionEvent } from "./types.js"
import type {
  CreateTranscription,
  ExportRequest,
  PatchTranscription,
  TranscriptionsExportQuery,
  TranscriptionsGetQuery,
  TranscriptionsListQuery,
  TranscriptionsSearchAllQuery,
  TranscriptionsSearchQuery,
} from "./wire.js"

export const transcriptions = (transport: Transport) => ({
  /** Makes a transcription of exactly one of `url`, `media_ref` and `blob_url`. `status` is `done` at once for what is cached or has captions. */
  create: (body: CreateTranscription, options?: RepeatableOptions) =>
    transport.json("transcriptions.create", { body, options }),

  /** Reads a transcription. `wait: 60` holds the answer for up to 60 seconds, until it has ended. */
  get: (id: string, query: TranscriptionsGetQuery = {}, options?: RequestOptions) =>
    transport.json("transcriptions.get", { path: { id }, query, options, held: (query.wait ?? 0) * 1000 }),

  /** Lists transcriptions, newest first: await one page, or iterate over all of them. */
  list: (query: TranscriptionsListQuery = {}, options?: RequestOptions) =>
    pagesOf((cursor = query.cursor) =>
      transport.json("transcriptions.list", { query: { ...query, cursor }, options }),
    ),

  /** Changes title, metadata or the names of speakers. A field left out stays; null takes it away. */
  update: (id: string, body: PatchTranscription, options?: RequestOptions) =>
    transport.json("transcriptions.update", { path: { id }, body, options }),

  /** Deletes text and media. A running transcription is canceled first. */
  delete: (id: string, options?: RequestOptions): Promise<undefined> =>
    transport.json("transcriptions.delete", { path: { id }, options }),

  /** Cancels a transcription that runs: it becomes `failed` with the code `canceled`, and costs nothing. */
  cancel: (id: string, options?: RequestOptions) =>
    transport.json("transcriptions.cancel", { path: { id }, options }),

  /** Tries a failed transcription again, with the options that it was made with. */
  retry: (id: string, options?: RequestOptions) =>
    transport.json("transcriptions.retry", { path: { id }, options }),

  /** Writes a transcript as a file: `await export(id, { format: "srt" }).text()`, `.bytes()`, or await it for its `stream()`. */
  export: (id: string, query: TranscriptionsExportQuery, options?: RequestOptions): Exporting => {
    const { platform, timeout } = transport
    const signal = options?.signal ?? transport.signal
    const file = async () => {
      const opened = await transport.open(operations["transcriptions.export"], {
        path: { id },
        query,
        headers: { Accept: "*/*" },
        options,
      })
      const silence = options?.timeout ?? timeout
      return fileOf(opened.response, chunksOf(opened, { platform, silence, signal }))
    }
    return exporting(file())
  },

  /** Makes an address that gives the file to whoever has it, for 15 minutes. */
  exportLink: (id: string, body: ExportRequest, options?: RequestOptions) =>
    transport.json("transcriptions.exportLink", { path: { id }, body, options }),

  /** Finds the lines of a transcript that hold every word of `q`. */
  search: (id: string, query: TranscriptionsSearchQuery, options?: RequestOptions) =>
    pagesOf((cursor = query.cursor) =>
      transport.json("transcriptions.search", { path: { id }, query: { ...query, cursor }, options }),
    ),

  /** Finds lines in all transcripts of the account. */
  searchAll: (query: TranscriptionsSearchAllQuery, options?: RequestOptions) =>
    pagesOf((cursor = query.cursor) =>
      transport.json("transcriptions.searchAll", { query: { ...query, cursor }, options }),
    ),

  /** What happens to a transcription as it happens, until it is done or failed. A connection that breaks is made again. */
  events: (id: string, options?: FollowOptions): AsyncGenerator<TranscriptionEvent, void> =>
    follow(transport, id, options),
})
