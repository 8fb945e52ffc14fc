/** The operations on transcriptions: those of the table, and some that do more than ask and answer. */
import { callsOf } from "./calls.js"
import { type Exporting, exporting, fileOf } from "./ExportedFile.js"
import { type FollowOptions, follow, getJob } from "./follow.js"
import { operations } from "./operations.js"
import { chunksOf, joined } from "./readBody.js"
import type { RequestOptions, Transport } from "./Transport.js"
import type { TranscriptionEvent } from "./types.js"
import type {
  Answer,
  Operations,
  TranscriptionsExportQuery,
  TranscriptionsGetQuery,
  TranscriptionsWaveformQuery,
} from "./wire.js"

type Body<Name extends keyof Operations> = Operations[Name]["body"]

/** A language model may take a while: the service waits for it so many milliseconds at most. */
const ANSWER_HELD = 60_000

export const transcriptions = (transport: Transport) => ({
  ...callsOf(transport, "transcriptions"),

  /** Reads a transcription. `wait: 60` holds the answer for up to 60 seconds, until it has ended. */
  get: (id: string, query?: TranscriptionsGetQuery, options?: RequestOptions) =>
    getJob(transport, id, query, options),

  /** Writes a transcript as a file: `await export(id, { format: "srt" }).text()`, `.bytes()`, or await it for its `stream()`. */
  export: (id: string, query: TranscriptionsExportQuery, options?: RequestOptions): Exporting => {
    const { platform, timeout } = transport
    const signal = options?.signal ?? transport.signal
    const file = async () => {
      const opened = await transport.open(operations.transcriptions.export, {
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
})
