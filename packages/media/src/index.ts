// The guarded door.

export type { FetcherOptions } from "./fetch/FetcherNode.js"
export * as FetcherNode from "./fetch/FetcherNode.js"
