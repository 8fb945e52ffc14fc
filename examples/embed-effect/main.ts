// The same service as layers, for programs that use Effect: take the use cases and the loops, and give them ports.
import assert from "node:assert/strict"
import { decodeCreate } from "@earmark/core/wire"
import {
  Customers,
  DeliveryConfig,
  Earmark,
  Scripted,
  ScriptedReceiver,
  Secrets,
  ServiceConfig,
  StoreMemory,
  Transcriptions,
  Webhooks,
  WorkerConfig,
} from "@earmark/service"
import { Effect, Layer } from "effect"

const settings = Layer.mergeAll(
  ServiceConfig.layer(),
  WorkerConfig.layer({ slots: 4 }),
  DeliveryConfig.layer(),
  Secrets.layerEphemeral,
)

const earmark = Layer.mergeAll(Earmark.useCases, Earmark.workers).pipe(
  Layer.provideMerge(Layer.mergeAll(StoreMemory.layer, Scripted.layer(), settings)),
)

const program = Effect.gen(function* () {
  const customers = yield* Customers
  const transcriptions = yield* Transcriptions
  const webhooks = yield* Webhooks
  const receiver = yield* ScriptedReceiver

  const { id: account } = yield* customers.create({ name: "Ann" })
  yield* webhooks.create(account, { url: "https://hooks.example/earmark" })

  const request = yield* decodeCreate({ url: "https://media.example/interview.mp3?seconds=95" })
  const { answer } = yield* transcriptions.create(account, request)
  const job = yield* transcriptions.get(account, answer.id, { wait: 30 })
  assert.equal(job.status, "done")
  console.log(`${job.wordCount} words for ${job.billedMinutes} credits`)

  const refused = yield* Effect.flip(transcriptions.cancel(account, answer.id))
  assert.equal(refused._tag, "JobAlreadyEnded")

  while ((yield* receiver.received).length === 0) yield* Effect.sleep("10 millis")
  const [delivery] = yield* receiver.received
  assert.equal(delivery?.headers["Service-Event-Id"], `${answer.id}.done`)
  console.log("delivered")
})

await Effect.runPromise(program.pipe(Effect.provide(earmark)))
