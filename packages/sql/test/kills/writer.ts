/**
 * Works on jobs as fast as it can, and says what was acknowledged, until it is killed. Arguments: a store, an account, and "own" to write
 * a row of its own with each job, in one transaction of its own client.
 */
import { randomBytes } from "node:crypto"
import { writeSync } from "node:fs"
import { AccountId, closedCircuit, EndpointId, type JobId } from "@earmark/core/jobs"
import { IdempotencyKey } from "@earmark/core/requests"
import { Accounts, type Finished, JobQueue, JobStore, WebhookStore } from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Option, Redacted } from "effect"
import { newJob } from "../newJob.js"

const [store = "", name = "", own] = process.argv.slice(2)
const account = AccountId.make(name)

const onServer = (url: Redacted.Redacted<string>) =>
  own === "own"
    ? Layer.provideMerge(SqlStore.layerClient({ migrate: "run" }), PgClient.layer({ url }))
    : SqlStore.layerPostgres({ url, migrate: "run" })

type Stores = Layer.Layer<Layer.Layer.Success<typeof SqlStore.layerStores>>

const storesOf = (): Stores => {
  if (store.startsWith("postgres:")) return Layer.orDie(onServer(Redacted.make(store)))
  return store.endsWith("/postgres")
    ? Layer.orDie(SqlStore.layerEmbedded({ directory: store }))
    : Layer.orDie(SqlStore.layerPglite({ directory: store }))
}

/** With a row of its own in the same transaction, where there is a client to write it with. */
const withOwnRow = <A, E>(id: JobId, create: Effect.Effect<A, E>) =>
  Effect.flatMap(
    Effect.serviceOption(PgClient.PgClient),
    Option.match({
      onNone: () => create,
      onSome: (sql) =>
        sql`INSERT INTO own_row (id) VALUES (${id})`.pipe(
          Effect.zipRight(Effect.sleep("3 millis")),
          Effect.zipRight(create),
          Effect.zipLeft(Effect.sleep("3 millis")),
          sql.withTransaction,
        ),
    }),
  )

// Written at once: what a killed process has said, it has said.
const say = (word: string, id: string) => Effect.sync(() => writeSync(1, `${word} ${id}\n`))

const finished = (id: string): Finished => ({
  content: {
    language: "en",
    segments: [{ start: 0, end: 1000, speaker: null, text: id, words: [] }],
    text: id,
    summary: null,
    chapters: null,
    translation: null,
  },
  origin: "engine",
  engine: "scripted",
  wordTiming: null,
  detectedLanguage: null,
  durationSeconds: 1,
  wordCount: 1,
  credits: 1,
  billedMinutes: 1,
  minutes: 1,
  enrichment: {},
  integrity: null,
  warnings: [],
})

const create = Effect.gen(function* () {
  const jobs = yield* JobStore
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  const job = newJob(account, 1, now)
  const { id } = job
  const guard = { key: IdempotencyKey.make(id), fingerprint: id, answer: id, expiresAt: now + 86_400_000 }
  yield* withOwnRow(id, jobs.create(job, { guard, maxWaiting: null }))
  yield* say("made", id)
  return id
})

const work = Effect.gen(function* () {
  const queue = yield* JobQueue
  const jobs = yield* JobStore
  yield* queue.reapExpired(10)
  const id = yield* create
  if (randomBytes(1).readUInt8() < 64) {
    yield* Effect.zipRight(jobs.cancel(account, id), say("failed", id))
  }
  const claimed = yield* queue.claim({ worker: "w", want: 1, cap: 100, leaseSeconds: 2 })
  for (const { lease } of claimed) {
    yield* queue.saveSpan(lease, { index: 0, start: 0, end: 1000, words: [] })
    yield* queue.complete(lease, finished(lease.job), { cacheKeys: [], shared: false })
    yield* say("done", lease.job)
  }
})

const main = Effect.gen(function* () {
  const accounts = yield* Accounts
  const webhooks = yield* WebhookStore
  yield* accounts.create({ id: account, name: "Ann", email: null, freeCredits: 1_000_000, createdAt: 0 })
  const endpoint = {
    id: EndpointId.make(`we_${account.slice(5)}`),
    account,
    url: "https://receiver.example.org/",
    description: null,
    events: ["transcription.completed", "transcription.failed"] as const,
    enabled: true,
    disabledReason: null,
    secrets: [],
    circuit: closedCircuit,
    createdAt: 0,
  }
  yield* webhooks.createEndpoint(endpoint, { guard: null })
  yield* say("ready", account)
  // What is refused or cannot be reached is not acknowledged: the next one is tried.
  const loop = work.pipe(
    Effect.tapErrorTag("StorageError", ({ operation, cause }) => say("broken", `${operation} ${cause}`)),
    Effect.catchAll(() => Effect.sleep("20 millis")),
    Effect.forever,
  )
  yield* Effect.all([loop, loop, loop, loop], { concurrency: "unbounded" })
})

Effect.runFork(Effect.provide(main, storesOf()))
