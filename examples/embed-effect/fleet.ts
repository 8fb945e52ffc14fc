// A process of a fleet: the database decides who runs what, Redis carries it to the workers. Without a Redis server it works as well.
import assert from "node:assert/strict"
import { decodeCreate } from "@earmark/core/wire"
import { QueueRedis, RateLimiterRedis } from "@earmark/redis"
import {
  Customers,
  DeliveryConfig,
  Earmark,
  JobQueue,
  ObjectStoreMemory,
  Scripted,
  Secrets,
  ServiceConfig,
  StoreMemory,
  Transcriptions,
  Worker,
  WorkerConfig,
} from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { Effect, Layer, Redacted } from "effect"

const server = process.env.EARMARK_DATABASE_URL
const database =
  server === undefined
    ? StoreMemory.layer // enough to try it out
    : Layer.merge(
        SqlStore.layerPostgres({ url: Redacted.make(server), migrate: "run" }),
        ObjectStoreMemory.layer, // uploaded files
      )
const url = Redacted.make(process.env.EARMARK_REDIS_URL ?? "redis://127.0.0.1:6379/0")

// #region fleet
const stores = Layer.merge(QueueRedis.layer({ url }), RateLimiterRedis.layer({ url })).pipe(
  Layer.provideMerge(database),
)
// #endregion

const settings = Layer.mergeAll(
  ServiceConfig.layer(),
  WorkerConfig.layer(),
  DeliveryConfig.layer(),
  Secrets.layerEphemeral,
)

const earmark = Layer.mergeAll(Earmark.useCases, Earmark.loops).pipe(
  Layer.provideMerge(Layer.mergeAll(stores, Scripted.layer(), settings)),
)

const program = Effect.gen(function* () {
  const transcriptions = yield* Transcriptions
  const queue = yield* JobQueue
  const worker = yield* Worker

  const { id } = yield* Effect.flatMap(Customers, (customers) => customers.create({ name: "Ann" }))
  const request = yield* decodeCreate({ url: "https://media.example/talk.mp3?seconds=30" })
  const { answer } = yield* transcriptions.create(id, request)

  yield* Effect.fork(worker.run)
  while ((yield* queue.stats).ready + (yield* queue.stats).leased > 0) yield* Effect.sleep("10 millis")
  const job = yield* transcriptions.get(id, answer.id)
  console.log(job.status)
  assert.equal(job.status, "done")
})

await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(earmark)))
