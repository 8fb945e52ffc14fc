import { Data, Effect, Either, Queue, Redacted } from "effect"
import { Redis } from "ioredis"

export interface RedisOptions {
  /** `redis://` or `rediss://` (TLS), with user, password and the number of a database as needed. */
  readonly url: Redacted.Redacted
  /** What every key and channel begins with: installations that share a server need different ones. */
  readonly prefix?: string
}

/** The address of the server cannot be one. */
export class RedisUrlInvalid extends Data.TaggedError("RedisUrlInvalid")<{ readonly reason: string }> {
  override get message() {
    return `The address of Redis is not valid: ${this.reason}. Write it like redis://user:password@host:6379/0.`
  }
}

/** The server did not do what it was asked: it cannot be reached, it is too slow, or it refuses. */
export class RedisAway extends Data.TaggedError("RedisAway")<{
  readonly reason: string
  readonly cause?: unknown
}> {
  override get message() {
    return `Redis is away: ${this.reason}`
  }
}

/** The address, if it can be one of Redis. */
export const checkUrl = (url: Redacted.Redacted): Either.Either<URL, RedisUrlInvalid> => {
  const text = Redacted.value(url)
  if (!URL.canParse(text)) return Either.left(new RedisUrlInvalid({ reason: "it is not a URL" }))
  const parsed = new URL(text)
  if (parsed.protocol !== "redis:" && parsed.protocol !== "rediss:") {
    const reason = `it begins with ${parsed.protocol}// and not with redis:// or rediss://`
    return Either.left(new RedisUrlInvalid({ reason }))
  }
  if (parsed.hostname === "") return Either.left(new RedisUrlInvalid({ reason: "it names no host" }))
  return /^\/?\d*$/.test(parsed.pathname)
    ? Either.right(parsed)
    : Either.left(new RedisUrlInvalid({ reason: `${parsed.pathname.slice(1)} is no number of a database` }))
}

/** What a foreign error says. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** How long one command may take. A server that hangs is as good as away. */
const COMMAND_TIMEOUT = 2_000
const LONGEST_PAUSE = 2_000

type Turn = { readonly type: "ready" } | { readonly type: "lost"; readonly reason: string }

/** Says once that the server went, and once that it is back. */
const tellTurns = (turns: Queue.Dequeue<Turn>, server: string, meanwhile: string) =>
  Effect.gen(function* () {
    let isAway = false
    for (;;) {
      const turn = yield* Queue.take(turns)
      if (turn.type === "ready" && isAway) yield* Effect.logInfo(`Redis at ${server} is back`)
      if (turn.type === "lost" && !isAway) {
        yield* Effect.logWarning(`Redis at ${server} cannot be reached (${turn.reason}). ${meanwhile}`)
      }
      isAway = turn.type === "lost"
    }
  })

/**
 * A connection that comes back by itself for as long as the scope lives. While it is away every command fails at once. It does not
 * wait for the server: a process starts without it. `meanwhile` says what is done without the server.
 */
export const connect = (options: RedisOptions, meanwhile: string) =>
  Effect.gen(function* () {
    const url = yield* checkUrl(options.url)
    const server = url.host
    const turns = yield* Queue.unbounded<Turn>()
    let problem = "the connection ended"

    const client = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const redis = new Redis(Redacted.value(options.url), {
          enableOfflineQueue: false,
          maxRetriesPerRequest: 0,
          commandTimeout: COMMAND_TIMEOUT,
          connectTimeout: 5_000,
          keepAlive: 10_000,
          retryStrategy: (times) => Math.min(times * 100, LONGEST_PAUSE),
          // A primary that became a replica: the address leads to the new one.
          reconnectOnError: (error) => error.message.startsWith("READONLY"),
        })
        redis.on("error", (error) => {
          problem = reasonOf(error)
        })
        redis.on("ready", () => turns.unsafeOffer({ type: "ready" }))
        redis.on("close", () => turns.unsafeOffer({ type: "lost", reason: problem }))
        return redis
      }),
      (redis) => Effect.sync(() => redis.disconnect()),
    )
    yield* Effect.forkScoped(tellTurns(turns, server, meanwhile))

    const run = <A>(command: (redis: Redis) => Promise<A>): Effect.Effect<A, RedisAway> =>
      Effect.tryPromise({
        try: () => command(client),
        catch: (error) => new RedisAway({ reason: reasonOf(error) }),
      })

    const check = Effect.suspend(() =>
      client.status === "ready" ? Effect.void : new RedisAway({ reason: problem }),
    )

    return { client, run, check }
  })
