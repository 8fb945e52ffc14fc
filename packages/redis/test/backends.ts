import { JobQueue, RateLimiter, StoreMemory, TimeLimit } from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { type Backend, onManualClock, StoreClock, type Stores } from "@earmark/testkit/contracts"
import { Context, Duration, Effect, Layer, Redacted, Schedule, Scope } from "effect"
import { Redis } from "ioredis"
import { databaseClock } from "../../../test/servers/databaseClock.js"
import { makeFileScope } from "../../../test/servers/endOfFile.js"
import { type PostgresServer, postgresMissing, startPostgres } from "../../../test/servers/postgresServer.js"
import { type RedisServer, redisMissing, startRedis } from "../../../test/servers/redisServer.js"
import { QueueRedis, RateLimiterRedis } from "../src/index.js"

export { postgresMissing, redisMissing }

let redis: Promise<RedisServer> | undefined
let postgres: Promise<PostgresServer> | undefined

/** Lives as long as the file's tests, and is closed before the servers stop. */
const fileScope = makeFileScope(async () => {
  const started = [redis, postgres]
  redis = undefined
  postgres = undefined
  for (const server of started) await (await server)?.stop()
})

/** One server for all tests of a file. */
export const redisServer = Effect.promise(() => {
  fileScope()
  redis ??= startRedis()
  return redis
})

export const postgresServer = Effect.promise(() => {
  fileScope()
  postgres ??= startPostgres()
  return postgres
})

let prefixes = 0
/** Tests share a server, and do not know each other. */
export const newPrefix = () => `test-${++prefixes}`

/** Waits until claims of this queue take turns on the server. Nothing must be ready meanwhile. */
export const untilInTurn = (server: RedisServer, prefix: string, { claim }: JobQueue["Type"], cap = 100) =>
  claim({ worker: "first", want: 1, cap, leaseSeconds: 1 }).pipe(
    Effect.map(() => server.command("exists", `${prefix}:claims:${cap}:nothing`) === "1"),
    Effect.filterOrFail((isThere) => isThere),
    Effect.retry(Schedule.spaced("20 millis")),
    TimeLimit.timeout("10 seconds"),
    Effect.orDie,
  )

type QueueLayer = Layer.Layer<JobQueue, unknown, JobQueue>

/** Stores with the queue on Redis above them. */
export const withRedis = <Own, E>(
  backend: Backend<Stores, Own, E>,
  change: (queue: QueueLayer) => QueueLayer = (queue) => queue,
) => {
  const whole = Layer.unwrapEffect(
    Effect.map(redisServer, (server) => {
      const prefix = newPrefix()
      const url = Redacted.make(server.url)
      const queue = Layer.tap(QueueRedis.layer({ url, prefix, patience: "20 seconds" }), (context) =>
        untilInTurn(server, prefix, Context.get(context, JobQueue)),
      )
      return Layer.orDie(Layer.provideMerge(change(queue), backend.layer))
    }),
  )
  return { ...backend, layer: whole }
}

/** Every store in memory, by a clock of its own. */
export const memory = (): Backend<Stores, StoreClock> => onManualClock(StoreMemory.layer)

const byStoreClock = {
  now: Effect.flatMap(StoreClock, (clock) => clock.now),
  advance: (duration: Duration.DurationInput) =>
    Effect.flatMap(StoreClock, (clock) => clock.advance(duration)),
}

/** Every store on a Postgres server, by a clock that stands still. */
export const onPostgres = (): Backend<Stores, StoreClock, unknown> => {
  const stores = Effect.gen(function* () {
    const server = yield* postgresServer
    const url = yield* Effect.promise(() => server.newDatabase())
    const layer = SqlStore.layerPostgres({ url: Redacted.make(url), migrate: "run" })
    const context = yield* Layer.build(layer)
    const clock = yield* Effect.acquireRelease(
      Effect.promise(() => databaseClock(url)),
      ({ end }) => Effect.promise(end),
    )
    yield* Effect.promise(() => clock.advance(0))
    const control = StoreClock.of({
      now: Effect.promise(clock.now),
      advance: (duration) => Effect.promise(() => clock.advance(Duration.toMillis(duration))),
    })
    return Context.add(context, StoreClock, control)
  })
  return {
    // One for all suites of a file: a new database takes a second.
    layer: Layer.effectContext(
      Effect.runSync(Effect.cached(Effect.suspend(() => Scope.extend(stores, fileScope())))),
    ),
    ...byStoreClock,
  }
}

/** Waits until requests are counted: before it has a connection, the limiter lets all through. */
const untilCounted = ({ take }: RateLimiter["Type"]) =>
  take("first", { limit: 1, windowSeconds: 1, burst: 1 }).pipe(
    Effect.filterOrFail(({ remaining }) => remaining === 0),
    Effect.retry(Schedule.spaced("20 millis")),
    TimeLimit.timeout("10 seconds"),
    Effect.orDie,
  )

/** The limiter on Redis. Its clock is that of the server, which nobody can move: buckets are moved the other way. */
export const limiter = (): Backend<RateLimiter, StoreClock> => {
  const context = Effect.gen(function* () {
    const server = yield* redisServer
    const prefix = newPrefix()
    const built = yield* Layer.build(RateLimiterRedis.layer({ url: Redacted.make(server.url), prefix }))
    yield* untilCounted(Context.get(built, RateLimiter))
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => new Redis(server.url)),
      (opened) => Effect.sync(() => opened.disconnect()),
    )
    yield* Effect.promise(() => client.ping())
    const advance = async (milliseconds: number) => {
      for (const key of await client.keys(`${prefix}:rate:*`)) {
        const until = Number(await client.get(key)) - milliseconds * 1000
        const left = (await client.pttl(key)) - milliseconds
        if (left > 0) await client.set(key, until, "PX", left)
        else await client.del(key)
      }
    }
    const control = StoreClock.of({
      now: Effect.sync(() => Date.now()),
      advance: (duration) => Effect.promise(() => advance(Duration.toMillis(duration))),
    })
    return Context.add(built, StoreClock, control)
  })
  return { layer: Layer.orDie(Layer.scopedContext(context)), ...byStoreClock }
}
