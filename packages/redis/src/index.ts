export { type RedisOptions, RedisUrlInvalid } from "./connect.js"
export { ping } from "./ping.js"
export * as QueueRedis from "./QueueRedis.js"
export * as RateLimiterRedis from "./RateLimiterRedis.js"
