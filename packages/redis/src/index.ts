export { type RedisOptions, RedisUrlInvalid } from "./connect.js"
export * as QueueRedis from "./QueueRedis.js"
export * as RateLimiterRedis from "./RateLimiterRedis.js"
