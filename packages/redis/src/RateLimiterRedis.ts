import { type RatePolicy, take } from "@earmark/core/requests"
import { limiterLetThrough, RateLimiter } from "@earmark/service"
import { Effect, Layer, Metric } from "effect"
import { connect, RedisAway, type RedisOptions } from "./connect.js"

const MICROSECONDS = 1_000_000

/** How far apart requests are, and how much may be used at once, in microseconds. */
const spanOf = ({ windowSeconds, limit, burst }: RatePolicy) => {
  const gap = Math.max(1, Math.round((windowSeconds * MICROSECONDS) / limit))
  return { gap, capacity: gap * burst }
}

// The arithmetic of core's `take`, by the clock of the server; the caller asks that for the answer, from what the bucket held before.
// Numbers up to 2^53 are exact in Lua; written with %.0f they stay so. The bucket goes by itself once it is full again.
const TAKE = `local time = redis.call('TIME')
local moment = time[1] * 1000000 + math.floor(time[2] / 1000) * 1000
local before = redis.call('GET', KEYS[1])
local gap, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
local after = math.max(tonumber(before or moment), moment) + gap
if after - moment <= capacity then
  redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', math.ceil((after - moment) / 1000))
end
return { before, string.format('%.0f', moment) }`

const parse = (answer: unknown) => {
  if (!Array.isArray(answer)) return new RedisAway({ reason: "an answer of another form" })
  const [before, moment]: ReadonlyArray<unknown> = answer
  return { before: before === null ? null : Number(before), now: Number(moment) / 1000 }
}

const make = (options: RedisOptions) =>
  Effect.gen(function* () {
    const { run } = yield* connect(options, "Requests are not limited until it is back.")
    const prefix = `${options.prefix ?? "earmark"}:rate:`

    const ask = (bucket: string, { gap, capacity }: ReturnType<typeof spanOf>) =>
      run((redis) => redis.eval(TAKE, 1, `${prefix}${bucket}`, gap, capacity))

    return RateLimiter.of({
      take: (bucket, policy) =>
        ask(bucket, spanOf(policy)).pipe(
          Effect.flatMap((answer) => {
            const parsed = parse(answer)
            return parsed instanceof RedisAway ? Effect.fail(parsed) : Effect.succeed(parsed)
          }),
          Effect.map(({ before, now }) => {
            const { state: _, ...taken } = take(before, policy, now)
            return taken
          }),
          // The connection says once that the server is away; of single requests there may be thousands.
          Effect.catchTag("RedisAway", (away) =>
            Effect.zipRight(
              Effect.logDebug("The rate limiter lets a request through", away),
              Effect.as(Metric.increment(limiterLetThrough), {
                allowed: true,
                remaining: policy.burst,
                resetSeconds: 0,
                retryAfterSeconds: 0,
              }),
            ),
          ),
        ),
    })
  })

/** Rate limits that hold over all processes, kept on a Redis server and by its clock. */
export const layer = (options: RedisOptions) => Layer.scoped(RateLimiter, make(options))
