import type { Effect, Stream } from "effect"
import type { RequestOptions, Transport } from "../client/Transport.js"
import { transcriptions } from "../client/transcriptions.js"
import type { TranscriptionsExportQuery } from "../client/wire.js"
import { type CallError, call, iterated } from "./operation.js"

/** A transcript as a file, in the form that is wanted. Each of them is a request of its own. */
export interface Exporting {
  readonly text: Effect.Effect<string, CallError>
  readonly bytes: Effect.Effect<Uint8Array, CallError>
  readonly stream: Stream.Stream<Uint8Array, CallError>
}

export const exportAs =
  (transport: Transport) =>
  (id: string, query: TranscriptionsExportQuery, options?: RequestOptions): Exporting => {
    const begin = (signal: AbortSignal) => transcriptions(transport.during(signal)).export(id, query, options)
    const chunks = async function* (during: Transport) {
      const file = await transcriptions(during).export(id, query, options)
      yield* file.stream()
    }
    return {
      text: call((signal) => begin(signal).text()),
      bytes: call((signal) => begin(signal).bytes()),
      stream: iterated(transport, chunks),
    }
  }
