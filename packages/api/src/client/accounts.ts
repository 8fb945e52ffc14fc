/** The operations on what an account has: credits, keys, webhook endpoints; and on podcasts and uploads. */
import { pagesOf } from "./Pages.js"
import type { RepeatableOptions, RequestOptions, Transport } from "./Transport.js"
import type {
  CreateApiKey,
  CreatePurchase,
  CreateTranscription,
  CreateWebhookEndpoint,
  CreditsEntriesQuery,
  CreditsPurchasesQuery,
  CreditsUsageQuery,
  KeysListQuery,
  PatchWebhookEndpoint,
  PodcastsEpisodesQuery,
  PutAutoReload,
  RotateSecret,
  TranscribeFeed,
  UploadRequest,
  WebhooksDeliveriesQuery,
  WebhooksListQuery,
} from "./wire.js"

export const podcasts = (transport: Transport) => ({
  /** Lists the episodes of a feed or an Apple link, newest first. */
  episodes: (query: PodcastsEpisodesQuery, options?: RequestOptions) =>
    transport.json("podcasts.episodes", { query, options }),

  /** Makes one transcription for each episode: the latest, so many, or all. */
  transcribe: (body: TranscribeFeed, options?: RepeatableOptions) =>
    transport.json("podcasts.transcribe", { body, options }),

  /** Reads how far a batch is. */
  batch: (id: string, options?: RequestOptions) =>
    transport.json("podcasts.batch", { path: { id }, options }),

  /** Cancels what has not ended of a batch. */
  cancelBatch: (id: string, options?: RequestOptions) =>
    transport.json("podcasts.cancelBatch", { path: { id }, options }),
})

export const uploads = (transport: Transport) => ({
  /** Announces a file, and gets the address that takes its bytes. `upload` of the client does both steps. */
  create: (body: UploadRequest, options?: RepeatableOptions) =>
    transport.json("uploads.create", { body, options }),
})

export const webhooks = (transport: Transport) => ({
  /** Registers an endpoint. `secret` is shown here and when it is rotated, and nowhere else. */
  create: (body: CreateWebhookEndpoint, options?: RepeatableOptions) =>
    transport.json("webhooks.create", { body, options }),

  /** Lists endpoints: await one page, or iterate over all of them. */
  list: (query: WebhooksListQuery = {}, options?: RequestOptions) =>
    pagesOf((cursor = query.cursor) =>
      transport.json("webhooks.list", { query: { ...query, cursor }, options }),
    ),

  /** Reads an endpoint. */
  get: (id: string, options?: RequestOptions) => transport.json("webhooks.get", { path: { id }, options }),

  /** Changes an endpoint. A field left out stays as it is. */
  update: (id: string, body: PatchWebhookEndpoint, options?: RequestOptions) =>
    transport.json("webhooks.update", { path: { id }, body, options }),

  /** Deletes an endpoint. */
  delete: (id: string, options?: RequestOptions): Promise<undefined> =>
    transport.json("webhooks.delete", { path: { id }, options }),

  /** Makes a new secret. For `grace_seconds`, a day, deliveries are signed with both. */
  rotateSecret: (id: string, body: RotateSecret = {}, options?: RequestOptions) =>
    transport.json("webhooks.rotateSecret", { path: { id }, body, options }),

  /** Sends a `webhook.test` event. */
  test: (id: string, options?: RequestOptions) => transport.json("webhooks.test", { path: { id }, options }),

  /** Lists what was sent to an endpoint: await one page, or iterate over everything. */
  deliveries: (id: string, query: WebhooksDeliveriesQuery = {}, options?: RequestOptions) =>
    pagesOf((cursor = query.cursor) =>
      transport.json("webhooks.deliveries", { path: { id }, query: { ...query, cursor }, options }),
    ),

  /** Reads a delivery with everything that was tried. */
  delivery: (id: string, delivery: string, options?: RequestOptions) =>
    transport.json("webhooks.delivery", { path: { id, delivery }, options }),

  /** Sends a delivery once more. */
  redeliver: (id: string, delivery: string, options?: RequestOptions) =>
    transport.json("webhooks.redeliver", { path: { id, delivery }, options }),
})

export const credits = (transport: Transport) => ({
  /** Reads the balance. One credit is one minute. */
  get: (options?: RequestOptions) => transport.json("credits.get", { options }),

  /** Lists the ledger: await one page, or iterate over all of it. */
  entries: (query: CreditsEntriesQuery = {}, options?: RequestOptions) =>
    pagesOf((cursor = query.cursor) =>
      transport.json("credits.entries", { query: { ...query, cursor }, options }),
    ),

  /** Sets whether and when credits are bought by themselves. */
  setAutoReload: (body: PutAutoReload, options?: RequestOptions) =>
    transport.json("credits.setAutoReload", { body, options }),

  /** Buys credits. A person pays at `checkout_url`, where there is one. */
  purchase: (body: CreatePurchase, options?: RepeatableOptions) =>
    transport.json("credits.purchase", { body, options }),

  /** Lists purchases, and how the payment of each stands: await one page, or iterate over all of them. */
  purchases: (query: CreditsPurchasesQuery = {}, options?: RequestOptions) =>
    pagesOf((cursor = query.cursor) =>
      transport.json("credits.purchases", { query: { ...query, cursor }, options }),
    ),

  /** Reads a purchase. Its credits are there when `state` is `succeeded`. */
  getPurchase: (id: string, options?: RequestOptions) =>
    transport.json("credits.getPurchase", { path: { id }, options }),

  /** Tells what a transcription or a whole feed would cost. Free of charge. */
  quote: (body: CreateTranscription | TranscribeFeed, options?: RequestOptions) =>
    transport.json("credits.quote", { body, options }),

  /** Reads what was used, of the last thirty days unless told otherwise. */
  usage: (query: CreditsUsageQuery = {}, options?: RequestOptions) =>
    transport.json("credits.usage", { query, options }),
})

export const keys = (transport: Transport) => ({
  /** Lists API keys, without their values. */
  list: (query: KeysListQuery = {}, options?: RequestOptions) =>
    pagesOf((cursor = query.cursor) => transport.json("keys.list", { query: { ...query, cursor }, options })),

  /** Makes an API key with at most the scopes of this one. `key` is shown once. */
  create: (body: CreateApiKey, options?: RequestOptions) => transport.json("keys.create", { body, options }),

  /** Revokes an API key. */
  revoke: (id: string, options?: RequestOptions): Promise<undefined> =>
    transport.json("keys.revoke", { path: { id }, options }),
})

export const host = (transport: Transport) => ({
  /** Whether the process answers. */
  healthz: (options?: RequestOptions) => transport.json("host.healthz", { options }),

  /** Whether the service can work: a problem `unavailable` while it cannot. */
  readyz: (options?: RequestOptions) => transport.json("host.readyz", { options }),
})
