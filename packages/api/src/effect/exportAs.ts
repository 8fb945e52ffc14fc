import type { Effect, Stream } from "effect"
import type { Exporting as ExportedLater } from "../client/ExportedFile.js"
import type { RequestOptions, Transport } from "../client/Transport.js"
import { transcriptions } from "../client/transcriptions.js"
import type { TranscriptionsExportAllQuery, TranscriptionsExportQuery } from "../client/wire.js"
import { type CallError, call, iterated } from "./operation.js"

/** A transcript as a file, in the form that is wanted. Each of them is a request of its own. */
export interface Exporting {
  readonly text: Effect.Effect<string, CallError>
  readonly bytes: Effect.Effect<Uint8Array, CallError>
  readonly stream: Stream.Stream<Uint8Array, CallError>
}

type Begin = (of: ReturnType<typeof transcriptions>) => ExportedLater

const exportingOf = (transport: Transport, begin: Begin): Exporting => {
  const begun = (signal: AbortSignal) => begin(transcriptions(transport.during(signal)))
  const chunks = async function* (during: Transport) {
    const file = await begin(transcriptions(during))
    yield* file.stream()
  }
  return {
    text: call((signal) => begun(signal).text()),
    bytes: call((signal) => begun(signal).bytes()),
    stream: iterated(transport, chunks),
  }
}

export const exportAs =
  (transport: Transport) =>
  (id: string, query: TranscriptionsExportQuery, options?: RequestOptions): Exporting =>
    exportingOf(transport, (of) => of.export(id, query, options))

/** Several transcripts as one archive. */
export const exportAll =
  (transport: Transport) =>
  (query: TranscriptionsExportAllQuery, options?: RequestOptions): Exporting =>
    exportingOf(transport, (of) => of.exportAll(query, options))
