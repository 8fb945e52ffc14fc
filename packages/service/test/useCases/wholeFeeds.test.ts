import { IdempotencyKey } from "@earmark/core/requests"
import { Podcasts, problemOf, TranslatorNone } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { balance, create, feedBody, get, inWorld, newAccount, refusal, transcribeFeed } from "../world.js"

const talk = "https://a.example/talk.mp3?seconds=90"

describe("whole feeds", () => {
  const feed = "https://a.example/feed?episodes=4&seconds=120"

  it.effect("holds are taken newest first as far as they fit; a top-up lets the others go on", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true, credits: 5 })
      const podcasts = yield* Podcasts
      const made = yield* transcribeFeed(account, { feed, episodes: "all" })
      assert.strictEqual(made.total, 4)
      const waiting = yield* podcasts.batch(account, made.batchId)
      assert.deepInclude(waiting, { queued: 4, waitingForCredits: 2 })
      assert.deepStrictEqual(yield* balance(account), { posted: 5, held: 4 })
      const [newest, , , oldest] = made.transcriptions
      assert.strictEqual((yield* get(account, newest?.id ?? "")).phase, "waiting")
      assert.strictEqual((yield* get(account, oldest?.id ?? "")).phase, "waiting_for_credits")
    }).pipe(inWorld()),
  )

  it.effect("a translation is refused before anything is heard where nothing translates", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const refused = yield* Effect.flip(create(account, { url: talk, translate_to: "de" }))
      if (refused._tag !== "RequestRefused") return assert.fail(refused._tag)
      assert.deepInclude(refused, { code: "language_unsupported", pointer: "#/translate_to" })
      assert.match(refused.detail, /^No translator is set up here\. Ask for the language of the recording/)
      const batch = yield* Effect.flip(transcribeFeed(account, { feed, translate_to: "de" }))
      if (batch._tag !== "RequestRefused") return assert.fail(batch._tag)
      assert.deepInclude(batch, { code: "language_unsupported", pointer: "#/translate_to" })
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
    }).pipe(inWorld({ translator: TranslatorNone.layer })),
  )

  it.effect("nothing is made when nothing is available, or when it would cost more than allowed", () =>
    Effect.gen(function* () {
      const poor = yield* newAccount({ paid: true, credits: 0 })
      assert.strictEqual(yield* refusal(transcribeFeed(poor, { feed, episodes: 2 })), "OutOfCredits")
      const account = yield* newAccount({ paid: true })
      const dear = transcribeFeed(account, { feed, episodes: "all", max_credits: 7 })
      const refused = yield* Effect.flip(dear)
      if (refused._tag !== "BudgetExceeded") return assert.fail(refused._tag)
      assert.match(problemOf(refused, "").detail, /Raise max_credits to 8, or take fewer episodes\.$/)
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
      assert.strictEqual((yield* transcribeFeed(account, { feed, episodes: "all", max_credits: 8 })).total, 4)
    }).pipe(inWorld()),
  )

  it.effect("a file that is there twice becomes one job; the other is listed as skipped", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true })
      const made = yield* transcribeFeed(account, { feed: `${feed}&twice`, episodes: "all" })
      assert.strictEqual(made.total, 2)
      assert.deepStrictEqual(
        made.skipped.map(({ reason }) => reason),
        ["duplicate", "duplicate"],
      )
    }).pipe(inWorld()),
  )

  it.effect("a plan of one minute says so", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const failure = yield* Effect.flip(create(account, { url: talk }))
      assert.include(failure.message, "The plan allows 1 minute; take a part with start_at and end_at")
    }).pipe(inWorld({ config: { maxMediaMinutes: 1 } })),
  )

  it.effect("a feed of which nothing can become a job is refused, and the code says why", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true })
      const podcasts = yield* Podcasts
      const refused = (body: Parameters<typeof feedBody>[0]) =>
        Effect.flip(podcasts.transcribe(account, feedBody(body)))
      const hidden = { feed: "https://10.0.0.1/feed?episodes=2&seconds=60", episodes: "all" }
      const long = { feed: "https://a.example/feed?episodes=1&seconds=700" }
      assert.deepInclude(yield* refused(hidden), {
        code: "blocked_address",
        detail: "None of the episodes can become a job: blocked_address",
      })
      assert.deepInclude(yield* refused(long), { code: "media_too_long" })
      // What is to be heard counts, not what is left out.
      const part = yield* transcribeFeed(account, { ...long, start_at: 500 })
      assert.deepInclude(part, { total: 1, skipped: [] })
    }).pipe(inWorld({ config: { maxMediaMinutes: 5 } })),
  )

  it.effect("a repeat with the same key gets the same batch", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true })
      const podcasts = yield* Podcasts
      const context = { idempotencyKey: IdempotencyKey.make("feed") }
      const request = podcasts.transcribe(account, feedBody({ feed, episodes: 2 }), context)
      const first = yield* request
      const second = yield* request
      assert.deepStrictEqual(second, { ...first, replayed: true })
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 4 })
    }).pipe(inWorld()),
  )

  it.effect("a repeat gets the same batch whatever it allows the batch to cost", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true })
      const podcasts = yield* Podcasts
      const context = { idempotencyKey: IdempotencyKey.make("budget") }
      const run = (limit: object) =>
        podcasts.transcribe(account, feedBody({ feed, episodes: 2, ...limit }), context)
      const first = yield* run({ max_credits: 4 })
      for (const limit of [{ max_credits: 0 }, { max_credits: 9 }, {}]) {
        assert.deepStrictEqual(yield* run(limit), { ...first, replayed: true })
      }
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 4 })
    }).pipe(inWorld()),
  )
})
