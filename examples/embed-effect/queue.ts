// Two accounts share the queue: the one that brings a single job does not wait for all the others of the first.
import assert from "node:assert/strict"
import { decodeCreate } from "@earmark/core/wire"
import {
  Customers,
  DeliveryConfig,
  Earmark,
  JobQueue,
  Scripted,
  Secrets,
  ServiceConfig,
  StoreMemory,
  Transcriptions,
  Worker,
  WorkerConfig,
} from "@earmark/service"
import { Effect, Layer } from "effect"

// #region settings
const settings = Layer.mergeAll(
  ServiceConfig.layer(),
  // Two jobs at once in this process, and of one account no more than two over all processes.
  WorkerConfig.layer({ slots: 2, accountConcurrency: 2 }),
  DeliveryConfig.layer(),
  Secrets.layerEphemeral,
)
// #endregion

const earmark = Layer.mergeAll(Earmark.useCases, Earmark.loops).pipe(
  Layer.provideMerge(Layer.mergeAll(StoreMemory.layer, Scripted.layer(), settings)),
)

const program = Effect.gen(function* () {
  const customers = yield* Customers
  const transcriptions = yield* Transcriptions
  const queue = yield* JobQueue
  const worker = yield* Worker

  // #region fair
  const ann = yield* customers.create({ name: "Ann" })
  const ben = yield* customers.create({ name: "Ben" })
  for (const account of [ann, ann, ann, ann, ben]) {
    const request = yield* decodeCreate({ url: "https://media.example/talk.mp3?seconds=30" })
    yield* transcriptions.create(account.id, request)
  }

  const first = yield* queue.claim({ worker: "guide", want: 2, cap: 2, leaseSeconds: 45 })
  console.log(first.map(({ job }) => (job.account === ann.id ? "Ann" : "Ben")).join(", "))
  // #endregion
  yield* Effect.forEach(first, ({ lease }) => queue.release(lease))

  yield* Effect.fork(worker.run)
  while ((yield* queue.stats).ready + (yield* queue.stats).leased > 0) yield* Effect.sleep("10 millis")

  // #region operate
  const { ready, scheduled, leased, dead, oldestSeconds } = yield* queue.stats
  console.log({ ready, scheduled, leased, dead, oldestSeconds })

  for (const { job, attempts, reason } of yield* queue.dead(100)) {
    console.log(`${job} after ${attempts} attempts: ${reason}`)
    yield* queue.requeueDead(job)
  }
  // #endregion
  assert.equal(dead, 0)
})

await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(earmark)))
