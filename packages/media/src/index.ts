// The guarded door, and what goes through it.

export type { FetcherOptions } from "./fetch/FetcherNode.js"
export * as FetcherNode from "./fetch/FetcherNode.js"
export type { Resolve } from "./fetch/resolve.js"
export * as WebhookSenderHttp from "./webhooks/WebhookSenderHttp.js"
