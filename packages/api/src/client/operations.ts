// Made from the OpenAPI document by `npm run docs`. Do not edit.

export interface OperationFacts {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  /** Takes an Idempotency-Key. */
  readonly repeatable?: true
}

/** Where each operation is. */
export const operations = {
  "transcriptions.create": { method: "POST", path: "/api/v1/transcriptions", repeatable: true },
  "transcriptions.list": { method: "GET", path: "/api/v1/transcriptions" },
  "transcriptions.get": { method: "GET", path: "/api/v1/transcriptions/{id}" },
  "transcriptions.update": { method: "PATCH", path: "/api/v1/transcriptions/{id}" },
  "transcriptions.delete": { method: "DELETE", path: "/api/v1/transcriptions/{id}" },
  "transcriptions.events": { method: "GET", path: "/api/v1/transcriptions/{id}/events" },
  "transcriptions.cancel": { method: "POST", path: "/api/v1/transcriptions/{id}/cancel" },
  "transcriptions.retry": { method: "POST", path: "/api/v1/transcriptions/{id}/retry" },
  "transcriptions.export": { method: "GET", path: "/api/v1/transcriptions/{id}/export" },
  "transcriptions.exportLink": { method: "POST", path: "/api/v1/transcriptions/{id}/export-link" },
  "transcriptions.search": { method: "GET", path: "/api/v1/transcriptions/{id}/search" },
  "transcriptions.searchAll": { method: "GET", path: "/api/v1/search" },
  "exports.open": { method: "GET", path: "/exports/{account}/{id}" },
  "podcasts.episodes": { method: "GET", path: "/api/v1/podcasts/episodes" },
  "podcasts.transcribe": { method: "POST", path: "/api/v1/podcasts/transcribe", repeatable: true },
  "podcasts.batch": { method: "GET", path: "/api/v1/batches/{id}" },
  "podcasts.cancelBatch": { method: "POST", path: "/api/v1/batches/{id}/cancel" },
  "uploads.create": { method: "POST", path: "/api/v1/uploads", repeatable: true },
  "uploads.put": { method: "PUT", path: "/uploads/{account}/{file}" },
  "webhooks.create": { method: "POST", path: "/api/v1/webhooks", repeatable: true },
  "webhooks.list": { method: "GET", path: "/api/v1/webhooks" },
  "webhooks.get": { method: "GET", path: "/api/v1/webhooks/{id}" },
  "webhooks.update": { method: "PATCH", path: "/api/v1/webhooks/{id}" },
  "webhooks.delete": { method: "DELETE", path: "/api/v1/webhooks/{id}" },
  "webhooks.rotateSecret": { method: "POST", path: "/api/v1/webhooks/{id}/rotate-secret" },
  "webhooks.test": { method: "POST", path: "/api/v1/webhooks/{id}/test" },
  "webhooks.deliveries": { method: "GET", path: "/api/v1/webhooks/{id}/deliveries" },
  "webhooks.delivery": { method: "GET", path: "/api/v1/webhooks/{id}/deliveries/{delivery}" },
  "webhooks.redeliver": { method: "POST", path: "/api/v1/webhooks/{id}/deliveries/{delivery}/redeliver" },
  "credits.get": { method: "GET", path: "/api/v1/credits" },
  "credits.entries": { method: "GET", path: "/api/v1/credits/entries" },
  "credits.setAutoReload": { method: "PUT", path: "/api/v1/credits/auto-reload" },
  "credits.purchase": { method: "POST", path: "/api/v1/credits/purchases", repeatable: true },
  "credits.purchases": { method: "GET", path: "/api/v1/credits/purchases" },
  "credits.getPurchase": { method: "GET", path: "/api/v1/credits/purchases/{id}" },
  "credits.quote": { method: "POST", path: "/api/v1/quotes" },
  "credits.usage": { method: "GET", path: "/api/v1/usage" },
  "credits.notice": { method: "POST", path: "/api/v1/payments/{provider}/notices" },
  "keys.list": { method: "GET", path: "/api/v1/keys" },
  "keys.create": { method: "POST", path: "/api/v1/keys" },
  "keys.revoke": { method: "DELETE", path: "/api/v1/keys/{id}" },
  "host.healthz": { method: "GET", path: "/healthz" },
  "host.readyz": { method: "GET", path: "/readyz" },
} as const satisfies Readonly<Record<string, OperationFacts>>
