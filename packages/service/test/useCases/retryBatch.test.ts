import type { AccountId } from "@earmark/core/jobs"
import { Ledger, Podcasts } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { balance, inWorld, newAccount, pass, transcribeFeed, withWorker } from "../world.js"

/** A batch of three episodes of a minute each, all of them failed. */
const failedBatch = (account: AccountId, broken: string) =>
  Effect.gen(function* () {
    const feed = `https://a.example/feed?episodes=3&seconds=60&broken=${broken}`
    const { batchId } = yield* transcribeFeed(account, { feed, episodes: "all" })
    yield* withWorker(pass("5 minutes"))
    const { failed } = yield* Effect.flatMap(Podcasts, (podcasts) => podcasts.batch(account, batchId))
    assert.strictEqual(failed, 3)
    return batchId
  })

describe("a batch that failed", () => {
  it.effect("is queued again, once, and pays again", () =>
    Effect.gen(function* () {
      const podcasts = yield* Podcasts
      const account = yield* newAccount({ paid: true })
      const batchId = yield* failedBatch(account, "engine_error&transient")
      const { posted } = yield* balance(account)
      assert.deepStrictEqual(yield* podcasts.retryBatch(account, batchId), { batchId, retried: 3, left: 0 })
      assert.deepInclude(yield* podcasts.batch(account, batchId), { queued: 3, failed: 0 })
      assert.deepStrictEqual(yield* balance(account), { posted, held: 3 })
      assert.deepStrictEqual(yield* podcasts.retryBatch(account, batchId), { batchId, retried: 0, left: 0 })
    }).pipe(inWorld()),
  )

  it.effect("stays failed where it would fail again", () =>
    Effect.gen(function* () {
      const podcasts = yield* Podcasts
      const account = yield* newAccount({ paid: true })
      const batchId = yield* failedBatch(account, "unsupported_media")
      assert.deepStrictEqual(yield* podcasts.retryBatch(account, batchId), { batchId, retried: 0, left: 3 })
    }).pipe(inWorld()),
  )

  it.effect("is queued again as far as credits reach, newest first; with none it is refused", () =>
    Effect.gen(function* () {
      const podcasts = yield* Podcasts
      const ledger = yield* Ledger
      const account = yield* newAccount({ paid: true, credits: 3 })
      const batchId = yield* failedBatch(account, "engine_error&transient")
      yield* ledger.adjust(account, -1, "less")
      assert.deepStrictEqual(yield* podcasts.retryBatch(account, batchId), { batchId, retried: 2, left: 1 })
      const refused = yield* Effect.flip(podcasts.retryBatch(account, batchId))
      assert.strictEqual(refused._tag, "OutOfCredits")
      assert.deepStrictEqual(yield* balance(account), { posted: 2, held: 2 })
    }).pipe(inWorld()),
  )
})
