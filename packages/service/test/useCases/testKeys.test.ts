import { IdempotencyKey } from "@earmark/core/requests"
import { Keys, Podcasts, Transcriptions } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import {
  balance,
  bodyOf,
  create,
  feedBody,
  get,
  inWorld,
  newAccount,
  refusal,
  settle,
  stored,
  withWorker,
} from "../world.js"

const talk = "https://a.example/talk.mp3?seconds=700"
const asked = { url: talk, translate_to: "de", diarize: true }

/** An engine that nobody would take for the scripted one. */
const real = { engine: { capabilities: { id: "real", model: "real-1" } } } as const

describe("a test key", () => {
  it.effect("is told from a live one, and only by its own text", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const keys = yield* Keys
      const test = yield* keys.create(account, {}, "test")
      const live = yield* keys.create(account, {})
      assert.match(test.key, /^em_test_/)
      const isTest = (key: string) =>
        Effect.map(keys.authenticate(Redacted.make(key)), (bearer) => bearer.isTest)
      assert.isTrue(yield* isTest(test.key))
      assert.isFalse(yield* isTest(live.key))
      const forged = test.key.replace("em_test_", "em_live_")
      assert.strictEqual(yield* refusal(keys.authenticate(Redacted.make(forged))), "Unauthorized")
    }).pipe(inWorld()),
  )

  it.effect("makes jobs that are scripted and free, also without any credits and in another run", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true, credits: 0 })
      const transcriptions = yield* Transcriptions
      const { answer } = yield* transcriptions.create(account, bodyOf(asked), { isTest: true })
      assert.deepStrictEqual(yield* balance(account), { posted: 0, held: 0 })
      yield* transcriptions.cancel(account, answer.id)
      yield* transcriptions.retry(account, answer.id)
      yield* withWorker(settle)
      const job = yield* get(account, answer.id)
      assert.deepInclude(job, { status: "done", engine: "scripted", billedMinutes: 0, cached: false })
      assert.deepStrictEqual(yield* balance(account), { posted: 0, held: 0 })
    }).pipe(inWorld(real)),
  )

  it.effect("neither gives its results to live jobs nor takes theirs", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const transcriptions = yield* Transcriptions
      const simple = bodyOf({ url: "https://a.example/x.mp3?seconds=60" })
      const test = Effect.map(
        transcriptions.create(account, simple, { isTest: true }),
        ({ answer }) => answer,
      )
      const first = yield* test
      yield* withWorker(settle)
      const live = yield* create(account, { url: "https://a.example/x.mp3?seconds=60" })
      assert.strictEqual(live.status, "queued")
      yield* withWorker(settle)
      const second = yield* test
      assert.strictEqual(second.status, "queued")
      yield* withWorker(settle)
      const shown = yield* Effect.forEach([first, live, second], ({ id }) => get(account, id))
      assert.deepStrictEqual(
        shown.map(({ engine, origin, billedMinutes }) => [engine, origin, billedMinutes]),
        [
          ["scripted", "engine", 0],
          ["real", "engine", 1],
          ["scripted", "engine", 0],
        ],
      )
    }).pipe(inWorld(real)),
  )

  it.effect("makes batches that wait for no credits", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true, credits: 0 })
      const podcasts = yield* Podcasts
      const request = feedBody({ feed: "https://a.example/feed.xml?episodes=3&seconds=60", episodes: "all" })
      const { answer } = yield* podcasts.transcribe(account, request, { isTest: true })
      yield* withWorker(settle)
      const status = yield* podcasts.batch(account, answer.batchId)
      assert.deepInclude(status, { done: 3, billedMinutes: 0 })
      for (const { id } of answer.transcriptions) assert.isTrue((yield* stored(account, id)).isTest)
    }).pipe(inWorld(real)),
  )

  it.effect("is never answered with what a live key asked under the same idempotency key", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const transcriptions = yield* Transcriptions
      const request = bodyOf({ url: "https://a.example/x.mp3?seconds=60" })
      const idempotencyKey = IdempotencyKey.make("once")
      yield* transcriptions.create(account, request, { idempotencyKey })
      const again = transcriptions.create(account, request, { idempotencyKey, isTest: true })
      assert.strictEqual(yield* refusal(again), "IdempotencyKeyReused")
    }).pipe(inWorld()),
  )
})
