import { TimeLimit } from "@earmark/service"
import { Effect, Redacted } from "effect"
import { Redis } from "ioredis"
import { checkUrl, RedisAway, type RedisOptions, reasonOf } from "./connect.js"

const PATIENCE = "5 seconds"

/** Asks the server once whether it answers, as the user of the address; answers with its host. */
export const ping = (options: Pick<RedisOptions, "url">) =>
  Effect.gen(function* () {
    const { host } = yield* checkUrl(options.url)
    let problem: unknown = null
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const redis = new Redis(Redacted.value(options.url), {
          lazyConnect: true,
          maxRetriesPerRequest: 0,
          retryStrategy: () => null,
          connectTimeout: 5_000,
          disconnectTimeout: 100,
        })
        // What came first says why: what follows says that the connection is closed.
        redis.on("error", (error) => {
          problem ??= error
        })
        return redis
      }),
      (redis) => Effect.sync(() => redis.disconnect()),
    )
    const awayFor = (cause: unknown) => new RedisAway({ reason: reasonOf(cause), cause })
    yield* Effect.tryPromise({
      try: () => client.connect().then(() => client.ping()),
      catch: (error) => awayFor(problem ?? error),
    }).pipe(
      TimeLimit.fail({
        duration: PATIENCE,
        onTimeout: () =>
          awayFor(problem ?? Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" })),
      }),
    )
    return host
  }).pipe(Effect.scoped)
