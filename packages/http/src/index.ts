export * as HttpHost from "./HttpHost.js"
export type { RateLimits } from "./requests/limit.js"
export type { SlotLimits } from "./requests/Slots.js"
export { ListenFailed } from "./server/listen.js"
