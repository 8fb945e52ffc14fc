// The guarded door, and what goes through it.
export { type CachedAnswer, FetchCache, type FetchCacheOptions } from "./cache/FetchCache.js"

export type { FetcherOptions } from "./fetch/FetcherNode.js"
export * as FetcherNode from "./fetch/FetcherNode.js"
export type { Resolve } from "./fetch/resolve.js"
// Where uploads are.
export type { ObjectStoreDiskOptions } from "./objects/ObjectStoreDisk.js"
export * as ObjectStoreDisk from "./objects/ObjectStoreDisk.js"
export type { ObjectStoreS3Options } from "./objects/ObjectStoreS3.js"
export * as ObjectStoreS3 from "./objects/ObjectStoreS3.js"
export * as WebhookSenderHttp from "./webhooks/WebhookSenderHttp.js"
