/** The client for programs of Effect: the same calls; answers decoded as they are declared, errors in the type. */
import { DoneJob, FailedJob } from "@earmark/core/jobs"
import { Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import * as CreditsApi from "../billing.js"
import { credits, host, keys, podcasts, uploads, webhooks } from "../client/accounts.js"
import { transportOf } from "../client/EarmarkClient.js"
import { type WaitOptions, waitFor } from "../client/follow.js"
import {
  type TranscribeCallOptions,
  type TranscribeOptions,
  type TranscribeSource,
  transcribe,
} from "../client/transcribe.js"
import { transcriptions } from "../client/transcriptions.js"
import type { UploadSource } from "../client/UploadSource.js"
import { type UploadOptions, upload } from "../client/upload.js"
import * as HostApi from "../host.js"
import * as KeysApi from "../keys.js"
import * as PodcastsApi from "../podcasts.js"
import * as TranscriptionsApi from "../transcriptions.js"
import * as UploadsApi from "../uploads.js"
import * as WebhooksApi from "../webhooks.js"
import { events } from "./events.js"
import { exportAs } from "./exportAs.js"
import { attempt, call, decoded, listing, operation } from "./operation.js"

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
      create: operation(transport, TranscriptionsApi.create, (of) => transcriptions(of).create),
      get: operation(transport, TranscriptionsApi.get, (of) => transcriptions(of).get),
      list: listing(transport, TranscriptionsApi.list, (of) => transcriptions(of).list),
      update: operation(transport, TranscriptionsApi.patch, (of) => transcriptions(of).update),
      delete: operation(transport, TranscriptionsApi.remove, (of) => transcriptions(of).delete),
      cancel: operation(transport, TranscriptionsApi.cancel, (of) => transcriptions(of).cancel),
      retry: operation(transport, TranscriptionsApi.retry, (of) => transcriptions(of).retry),
      export: exportAs(transport),
      exportLink: operation(transport, TranscriptionsApi.exportLink, (of) => transcriptions(of).exportLink),
      search: listing(transport, TranscriptionsApi.search, (of) => transcriptions(of).search),
      searchAll: listing(transport, TranscriptionsApi.searchAll, (of) => transcriptions(of).searchAll),
      events: events(transport),
    },
    podcasts: {
      episodes: operation(transport, PodcastsApi.episodes, (of) => podcasts(of).episodes),
      transcribe: operation(transport, PodcastsApi.transcribe, (of) => podcasts(of).transcribe),
      batch: operation(transport, PodcastsApi.batch, (of) => podcasts(of).batch),
      cancelBatch: operation(transport, PodcastsApi.cancelBatch, (of) => podcasts(of).cancelBatch),
    },
    uploads: {
      create: operation(transport, UploadsApi.begin, (of) => uploads(of).create),
    },
    webhooks: {
      create: operation(transport, WebhooksApi.create, (of) => webhooks(of).create),
      list: listing(transport, WebhooksApi.list, (of) => webhooks(of).list),
      get: operation(transport, WebhooksApi.get, (of) => webhooks(of).get),
      update: operation(transport, WebhooksApi.patch, (of) => webhooks(of).update),
      delete: operation(transport, WebhooksApi.remove, (of) => webhooks(of).delete),
      rotateSecret: operation(transport, WebhooksApi.rotateSecret, (of) => webhooks(of).rotateSecret),
      test: operation(transport, WebhooksApi.test, (of) => webhooks(of).test),
      deliveries: listing(transport, WebhooksApi.deliveries, (of) => webhooks(of).deliveries),
      delivery: operation(transport, WebhooksApi.delivery, (of) => webhooks(of).delivery),
      redeliver: operation(transport, WebhooksApi.redeliver, (of) => webhooks(of).redeliver),
    },
    credits: {
      get: operation(transport, CreditsApi.get, (of) => credits(of).get),
      entries: listing(transport, CreditsApi.entries, (of) => credits(of).entries),
      setAutoReload: operation(transport, CreditsApi.putAutoReload, (of) => credits(of).setAutoReload),
      purchase: operation(transport, CreditsApi.purchase, (of) => credits(of).purchase),
      purchases: listing(transport, CreditsApi.purchases, (of) => credits(of).purchases),
      getPurchase: operation(transport, CreditsApi.getPurchase, (of) => credits(of).getPurchase),
      quote: operation(transport, CreditsApi.quote, (of) => credits(of).quote),
      usage: operation(transport, CreditsApi.usage, (of) => credits(of).usage),
    },
    keys: {
      list: listing(transport, KeysApi.list, (of) => keys(of).list),
      create: operation(transport, KeysApi.create, (of) => keys(of).create),
      revoke: operation(transport, KeysApi.revoke, (of) => keys(of).revoke),
    },
    host: {
      healthz: operation(transport, HostApi.healthz, (of) => host(of).healthz),
      readyz: operation(transport, HostApi.readyz, (of) => host(of).readyz),
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
