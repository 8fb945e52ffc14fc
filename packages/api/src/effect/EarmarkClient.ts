/** The client for programs of Effect: the same calls; answers decoded as they are declared, errors in the type. */
import { DoneJob, FailedJob } from "@earmark/core/jobs"
import { Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { callsOf } from "../client/calls.js"
import { transportOf } from "../client/EarmarkClient.js"
import { type WaitOptions, waitFor } from "../client/follow.js"
import type { UploadOptions } from "../client/sendUpload.js"
import type { RequestOptions } from "../client/Transport.js"
import {
  type TranscribeCallOptions,
  type TranscribeOptions,
  type TranscribeSource,
  transcribe,
} from "../client/transcribe.js"
import { transcriptions } from "../client/transcriptions.js"
import type { UploadSource } from "../client/UploadSource.js"
import { upload } from "../client/upload.js"
import type { TranscriptionsWaveformQuery } from "../client/wire.js"
import { healthz, readyz } from "../keyless.js"
import { events, eventsAll } from "./events.js"
import { exportAll, exportAs } from "./exportAs.js"
import { groupOf } from "./groupOf.js"
import { attempt, call, decoded, operation } from "./operation.js"

export interface EarmarkClientOptions {
  /** Where the service is, such as `https://earmark.example.org`. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  /** Another `fetch` than the one of the place the client runs in. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** What one try of a call may take: thirty seconds when left out. */
  readonly timeout?: Duration.DurationInput | undefined
  /** How often a call is tried again where that is safe: 2 when left out. */
  readonly retries?: number | undefined
}

/** The calls, on a service and with a key. */
export const makeClient = ({ apiKey, timeout, ...options }: EarmarkClientOptions) => {
  const transport = transportOf({
    ...options,
    apiKey: Redacted.value(apiKey),
    timeout: timeout === undefined ? undefined : Duration.toMillis(timeout),
  })
  const decodeDone = decoded(DoneJob)
  const decodeEnded = decoded(Schema.Union(DoneJob, FailedJob))

  return {
    transcriptions: {
      ...groupOf(transport, "transcriptions"),
      export: exportAs(transport),
      exportAll: exportAll(transport),
      events: events(transport),
      eventsAll: eventsAll(transport),
      waveform: (id: string, query?: TranscriptionsWaveformQuery, options?: RequestOptions) =>
        call((signal) => transcriptions(transport.during(signal)).waveform(id, query, options)),
    },
    podcasts: groupOf(transport, "podcasts"),
    uploads: groupOf(transport, "uploads"),
    webhooks: groupOf(transport, "webhooks"),
    credits: groupOf(transport, "credits"),
    keys: groupOf(transport, "keys"),
    grants: groupOf(transport, "grants"),
    account: groupOf(transport, "account"),
    host: {
      healthz: operation(transport, healthz.successSchema, (of) => callsOf(of, "host").healthz),
      readyz: operation(transport, readyz.successSchema, (of) => callsOf(of, "host").readyz),
    },

    /** Moves media into the service in constant memory. */
    upload: (source: UploadSource, options?: UploadOptions) =>
      call((signal) => upload(transport, source, { ...options, signal })),

    /** The transcription once it is done or failed. */
    waitFor: (id: string, options?: WaitOptions) =>
      Effect.flatMap(
        call((signal) => waitFor(transport, id, { ...options, signal })),
        decodeEnded,
      ),

    /** From media to text in one call. Fails with `TranscriptionFailed` where the transcription does. */
    transcribe: (source: TranscribeSource, wanted?: TranscribeOptions, options?: TranscribeCallOptions) =>
      Effect.flatMap(
        attempt((signal) => transcribe(transport, source, wanted ?? {}, { ...options, signal })),
        decodeDone,
      ),
  }
}

/** A service of Earmark, somewhere else. */
export class EarmarkClient extends Context.Tag("@earmark/api/EarmarkClient")<
  EarmarkClient,
  ReturnType<typeof makeClient>
>() {
  static readonly layer = (options: EarmarkClientOptions) =>
    Layer.sync(EarmarkClient, () => makeClient(options))
}
