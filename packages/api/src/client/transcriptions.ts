/** The operations on transcriptions: those of the table, and some that do more than ask and answer. */
import { callsOf } from "./calls.js"
import { type Exporting, exporting, fileOf } from "./ExportedFile.js"
import { type FollowOptions, follow, followAll, getJob } from "./follow.js"
import { type OperationFacts, operations } from "./operations.js"
import { chunksOf, joined } from "./readBody.js"
import type { RequestOptions, Transport } from "./Transport.js"
import type { AccountEvent, TranscriptionEvent } from "./types.js"
import type {
  Answer,
  Operations,
  TranscriptionsExportAllQuery,
  TranscriptionsExportQuery,
  TranscriptionsGetQuery,
  TranscriptionsWaveformQuery,
} from "./wire.js"

type Body<Name extends keyof Operations> = Operations[Name]["body"]

/** A language model may take a while: the service waits for it so many milliseconds at most. */
const ANSWER_HELD = 60_000

/** A file that is read from an operation. */
const fileAt = (
  transport: Transport,
  asked: {
    readonly facts: OperationFacts
    readonly path?: Readonly<Record<string, string>>
    readonly query: object
  },
  options: RequestOptions | undefined,
): Exporting => {
  const { platform, timeout } = transport
  const signal = options?.signal ?? transport.signal
  const file = async () => {
    const { facts, ...rest } = asked
    const opened = await transport.open(facts, { ...rest, headers: { Accept: "*/*" }, options })
    return fileOf(
      opened.response,
      chunksOf(opened, { platform, silence: options?.timeout ?? timeout, signal }),
    )
  }
  return exporting(file())
}

export const transcriptions = (transport: Transport) => ({
  ...callsOf(transport, "transcriptions"),

  /** Reads a transcription. `wait: 60` holds the answer for up to 60 seconds, until it has ended. */
  get: (id: string, query?: TranscriptionsGetQuery, options?: RequestOptions) =>
    getJob(transport, id, query, options),

  /** Writes a transcript as a file: `await export(id, { format: "srt" }).text()`, `.bytes()`, or await it for its `stream()`. */
  export: (id: string, query: TranscriptionsExportQuery, options?: RequestOptions): Exporting =>
    fileAt(transport, { facts: operations.transcriptions.export, path: { id }, query }, options),

  /** Writes several transcripts as one zip archive: those of `ids`, with commas between them, or of a batch. */
  exportAll: (query: TranscriptionsExportAllQuery, options?: RequestOptions): Exporting =>
    fileAt(transport, { facts: operations.transcriptions.exportAll, query }, options),

  /** The waveform of the recording: one byte a point, 0 to 255, the greatest sample of the part that the point stands for. */
  waveform: async (
    id: string,
    query?: TranscriptionsWaveformQuery,
    options?: RequestOptions,
  ): Promise<Uint8Array> => {
    const { platform, timeout } = transport
    const opened = await transport.open(operations.transcriptions.waveform, {
      path: { id },
      query: query ?? {},
      headers: { Accept: "*/*" },
      options,
    })
    const signal = options?.signal ?? transport.signal
    return joined(chunksOf(opened, { platform, silence: options?.timeout ?? timeout, signal }))
  },

  /** Asks about one transcript. Each claim of the answer cites words that are in it. */
  ask: (id: string, body: Body<"transcriptions.ask">, options?: RequestOptions): Promise<Answer> =>
    transport.json(operations.transcriptions.ask, { path: { id }, body, options, held: ANSWER_HELD }),

  /** Asks about several transcripts: `ids`, those of a batch, or `all`. */
  askAll: (body: Body<"transcriptions.askAll">, options?: RequestOptions): Promise<Answer> =>
    transport.json(operations.transcriptions.askAll, { body, options, held: ANSWER_HELD }),

  /** What happens to a transcription as it happens, until it is done or failed. A connection that breaks is made again. */
  events: (id: string, options?: FollowOptions): AsyncGenerator<TranscriptionEvent, void> =>
    follow(transport, id, options),

  /** What happens in the account: how jobs stand, and the balance. It never ends; a connection that breaks is made again. */
  eventsAll: (options?: FollowOptions): AsyncGenerator<AccountEvent, void> => followAll(transport, options),
})
