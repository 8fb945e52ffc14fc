import type { Finding } from "@earmark/engines"
import { failureOf } from "@earmark/media"
import { Effect, Redacted } from "effect"
import type { Settings } from "../settings/Settings.js"

const name = "redis"

/** A system error has a code, and says that there was no connection; every other one is the word of the server. */
const troubleOf = (host: string, cause: unknown, reason: string): string =>
  cause instanceof Error && "code" in cause ? failureOf(cause, host).detail : `${host} refuses: ${reason}`

/** Asks the Redis that a setting names whether it answers. */
export const examineRedis = ({ redisUrl: url }: Settings): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    if (url === null) return []
    const { ping } = yield* Effect.promise(() => import("@earmark/redis"))
    return yield* Effect.match(ping({ url }), {
      onFailure: (failure): ReadonlyArray<Finding> => {
        const detail =
          failure._tag === "RedisUrlInvalid"
            ? failure.message
            : troubleOf(new URL(Redacted.value(url)).host, failure.cause, failure.reason)
        return [{ name, status: "missing", detail, fix: "check EARMARK_REDIS_URL" }]
      },
      onSuccess: (host): ReadonlyArray<Finding> => [
        { name, status: "ok", detail: `${host} answers`, fix: null },
      ],
    })
  })
