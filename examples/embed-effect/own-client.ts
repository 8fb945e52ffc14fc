// A job and a row of your own in one transaction: both are there, or neither. Your program's PgClient, one Postgres.
import assert from "node:assert/strict"
import { decodeCreate, decodeListQuery } from "@earmark/core/wire"
import {
  Customers,
  DeliveryConfig,
  Earmark,
  ObjectStoreMemory,
  Scripted,
  Secrets,
  ServiceConfig,
  Transcriptions,
  WorkerConfig,
} from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { PgClient } from "@effect/sql-pg"
import { Data, Effect, Layer, Redacted } from "effect"

const url = process.env.DATABASE_URL ?? "postgres://localhost:5432/app"

// #region layers
const client = PgClient.layer({ url: Redacted.make(url) })

const stores = Layer.merge(
  SqlStore.layerClient({ migrate: "run" }),
  ObjectStoreMemory.layer, // uploaded files
).pipe(Layer.provideMerge(client))
// #endregion

const settings = Layer.mergeAll(
  ServiceConfig.layer(),
  WorkerConfig.layer(),
  DeliveryConfig.layer(),
  Secrets.layerEphemeral,
)

const earmark = Earmark.useCases.pipe(Layer.provideMerge(Layer.mergeAll(stores, Scripted.layer(), settings)))

class NotPublished extends Data.TaggedError("NotPublished") {}

const program = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const customers = yield* Customers
  const transcriptions = yield* Transcriptions
  const { id: account } = yield* customers.create({ name: "Ann" })
  yield* sql`CREATE TABLE recording (title text PRIMARY KEY, job text)`

  // #region together
  const record = (title: string, publish: Effect.Effect<void, NotPublished>) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const request = yield* decodeCreate({ url: "https://media.example/talk.mp3?seconds=30", title })
        const { answer } = yield* transcriptions.create(account, request)
        yield* sql`INSERT INTO recording (title, job) VALUES (${title}, ${answer.id})`
        yield* publish
      }),
    )
  // #endregion

  yield* record("Kept", Effect.void)
  yield* Effect.flip(record("Undone", new NotPublished()))

  const recordings = yield* sql`SELECT title FROM recording`
  const jobs = yield* transcriptions.list(account, yield* decodeListQuery({}))
  assert.deepEqual(recordings, [{ title: "Kept" }])
  assert.deepEqual(
    jobs.data.map(({ title }) => title),
    ["Kept"],
  )
  console.log("one recording, one job")
})

await Effect.runPromise(program.pipe(Effect.provide(earmark)))
