/** Processes that share a queue on Redis, and a store of jobs. */
import { randomBytes } from "node:crypto"
import { AccountId, effectiveOptions, ID_RANDOM_BYTES, JobId, makeId } from "@earmark/core/jobs"
import { Accounts, JobQueue, JobStore, StoreMemory } from "@earmark/service"
import { it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { type RedisServer, startRedis } from "../../../test/servers/redisServer.js"
import { QueueRedis } from "../src/index.js"

const newId = (kind: "account" | "job") => makeId(kind, 0, randomBytes(ID_RANDOM_BYTES))

/** A server that a test may do anything to. */
export const ownServer = (options: { readonly running?: boolean } = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => startRedis(options)),
    (server) => Effect.promise(() => server.stop()),
  )

/** Stores in memory, by the real clock, and jobs in them. */
export const newStore = Effect.gen(function* () {
  const context = yield* Layer.build(StoreMemory.layer)
  const [accounts, jobs] = [Context.get(context, Accounts), Context.get(context, JobStore)]
  const account = AccountId.make(newId("account"))
  yield* accounts.create({ id: account, name: "Ann", email: null, freeCredits: 1000, createdAt: 0 })
  const make = (count: number) =>
    Effect.forEach(Array.from({ length: count }), () => {
      const id = JobId.make(newId("job"))
      const source = { shown: { kind: "media" as const }, mediaUrl: null, link: null, identity: null }
      const rest = { title: null, metadata: null, key: null, durationSeconds: null, expiresAt: null }
      const job = { id, account, source, options: effectiveOptions({}), ...rest, createdAt: 0, hold: 1 }
      return Effect.as(jobs.create(job, { guard: null, maxWaiting: null }), id)
    })
  let asked = 0
  const store = Context.get(context, JobQueue)
  return {
    make,
    /** How often the store was asked. */
    asked: () => asked,
    layer: Layer.succeed(JobQueue, {
      ...store,
      claim: (options) =>
        Effect.zipRight(
          Effect.sync(() => asked++),
          store.claim(options),
        ),
    }),
  }
})

type Store = Effect.Effect.Success<typeof newStore>

/** What one process has of the queue. */
export const newProcess = (server: RedisServer, store: Store, prefix: string, options: object = {}) =>
  Effect.map(
    Layer.build(
      QueueRedis.layer({ url: Redacted.make(server.url), prefix, ...options }).pipe(
        Layer.provide(store.layer),
      ),
    ),
    (context) => {
      const queue = Context.get(context, JobQueue)
      const claim = (want: number, cap = 100) =>
        Effect.map(queue.claim({ worker: "w", want, cap, leaseSeconds: 60 }), (claimed) =>
          claimed.map(({ lease }) => lease),
        )
      return { queue, claim }
    },
  )

export const test = (name: string, run: Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(run), 60_000)

/** Waits until it is so. */
export const eventually = <E, R>(what: string, isSo: Effect.Effect<boolean, E, R>) =>
  Effect.gen(function* () {
    for (let tries = 0; tries < 400; tries++) {
      if (yield* isSo) return
      yield* Effect.sleep("25 millis")
    }
    return yield* Effect.dieMessage(`waited in vain: ${what}`)
  })
