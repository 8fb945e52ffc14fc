/** The credits that a key may spend in a calendar month. */
import { creditMonth } from "@earmark/core/credits"
import type { AccountId } from "@earmark/core/jobs"
import { ApiKeys, JobQueue, JobStore, type NewKey } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect, Either } from "effect"
import { promise, type StoreCase } from "./Case.js"
import {
  advance,
  createJob,
  createKey,
  finishedWith,
  newAccount,
  newBatch,
  newGuard,
  newJob,
  now,
} from "./makers.js"
import { balanceOf, booksAreRight, racing, refusal, takeOne } from "./working.js"

const open = { guard: null, maxWaiting: null } as const
const plain = { cacheKeys: [], shared: false } as const

/** No case is cut in two by the end of a month. */
const beginMonth = Effect.gen(function* () {
  const moment = yield* now
  yield* advance((creditMonth(moment).to - moment) / 1000 + 3600)
})

const listed = (account: AccountId, key: NewKey) =>
  Effect.map(
    Effect.flatMap(ApiKeys, (keys) => keys.get(account, key.id)),
    ({ monthlyCredits, monthlyCreditsUsed }) => [monthlyCreditsUsed, monthlyCredits],
  )

export const keyLimitCases: ReadonlyArray<StoreCase> = [
  promise(
    "a key uses no more credits in a month than its limit allows, and a refused job leaves nothing behind",
    Effect.gen(function* () {
      yield* beginMonth
      const store = yield* JobStore
      const account = yield* newAccount(100)
      const limited = yield* createKey(account, { monthlyCredits: 10 })
      const free = yield* createKey(account)
      const of = (key: NewKey, hold: number) => createJob(account, { key: key.id, hold })
      yield* of(limited, 6)
      const guard = yield* newGuard()
      const job = yield* newJob(account, { key: limited.id, hold: 5 })
      const refused = yield* Effect.flip(store.create(job, { guard, maxWaiting: null }))
      const resetsAt = creditMonth(yield* now).to
      assert.deepInclude(refused, { _tag: "KeyLimitReached", limit: 10, used: 6, needed: 5, resetsAt })
      assert.strictEqual(yield* refusal(store.get(account, job.id)), "JobNotFound")
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 100, held: 6, floor: 0 })
      yield* of(free, 50)
      yield* createJob(account, { hold: 20 })
      yield* of(limited, 0)
      yield* store.create({ ...job, hold: 4 }, { guard, maxWaiting: null })
      assert.strictEqual(yield* refusal(of(limited, 1)), "KeyLimitReached")
      assert.deepStrictEqual(yield* listed(account, limited), [10, 10])
      assert.deepStrictEqual(yield* listed(account, free), [50, null])
    }),
  ),
  promise(
    "a key has used what its jobs hold and were charged since the month began, also when they are removed",
    Effect.gen(function* () {
      yield* beginMonth
      const [store, queue] = [yield* JobStore, yield* JobQueue]
      const account = yield* newAccount(100)
      const key = yield* createKey(account, { monthlyCredits: 10 })
      const canceled = yield* createJob(account, { key: key.id, hold: 9 })
      yield* store.cancel(account, canceled.id)
      assert.deepStrictEqual(yield* listed(account, key), [0, 10])
      const done = yield* createJob(account, { key: key.id, hold: 8 })
      const { lease } = yield* takeOne(account)
      assert.deepStrictEqual(yield* listed(account, key), [8, 10])
      yield* queue.complete(lease, finishedWith({ credits: 3, billedMinutes: 3 }), plain)
      yield* store.remove(account, done.id)
      assert.deepStrictEqual(yield* listed(account, key), [3, 10])
      yield* createJob(account, { key: key.id, hold: 7 })
      assert.strictEqual(yield* refusal(createJob(account, { key: key.id, hold: 1 })), "KeyLimitReached")
      yield* beginMonth
      assert.deepStrictEqual(yield* listed(account, key), [0, 10])
      yield* createJob(account, { key: key.id, hold: 10 })
      yield* booksAreRight
    }),
  ),
  promise(
    "of racing jobs of a key as many are made as its month has room for",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(100)
      const key = yield* createKey(account, { monthlyCredits: 10 })
      const made = yield* racing(12, () =>
        Effect.flatMap(newJob(account, { key: key.id, hold: 4 }), (job) =>
          Effect.either(store.create(job, open)),
        ),
      )
      assert.strictEqual(made.filter(Either.isRight).length, 2)
      for (const each of made) if (Either.isLeft(each)) assert.strictEqual(each.left._tag, "KeyLimitReached")
      assert.deepStrictEqual(yield* listed(account, key), [8, 10])
    }),
  ),
  promise(
    "a batch fits into the month of its key as a whole, and a retry needs room again",
    Effect.gen(function* () {
      yield* beginMonth
      const store = yield* JobStore
      const account = yield* newAccount(100)
      const key = yield* createKey(account, { monthlyCredits: 10 })
      const batchOf = (holds: ReadonlyArray<number>) =>
        Effect.map(newBatch(account, holds), (batch) => ({
          ...batch,
          jobs: batch.jobs.map((job) => ({ ...job, key: key.id })),
        }))
      const large = yield* batchOf([4, 4, 3])
      const refused = yield* Effect.flip(store.createBatch(large))
      assert.deepInclude(refused, { _tag: "KeyLimitReached", limit: 10, used: 0, needed: 11 })
      assert.isNull(yield* store.batch(account, large.id))
      const small = yield* batchOf([4, 4])
      yield* store.createBatch(small)
      assert.deepStrictEqual(yield* listed(account, key), [8, 10])
      const [first] = small.jobs
      assert.isDefined(first)
      yield* store.cancel(account, first.id)
      yield* createJob(account, { key: key.id, hold: 5 })
      assert.strictEqual(yield* refusal(store.retry(account, first.id, 4)), "KeyLimitReached")
      yield* beginMonth
      yield* store.retry(account, first.id, 4)
      assert.deepStrictEqual(yield* listed(account, key), [4, 10])
    }),
  ),
  promise(
    "the limit of a key is changed and taken away, and its name stays",
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const key = yield* createKey(account)
      const changed = yield* keys.update(account, key.id, { monthlyCredits: 3 })
      assert.deepInclude(changed, { name: key.name, monthlyCredits: 3, monthlyCreditsUsed: 0 })
      assert.strictEqual(yield* refusal(createJob(account, { key: key.id, hold: 4 })), "KeyLimitReached")
      assert.deepInclude(yield* keys.update(account, key.id, { name: "n" }), { name: "n", monthlyCredits: 3 })
      assert.strictEqual(yield* refusal(keys.update(other, key.id, { monthlyCredits: null })), "KeyNotFound")
      assert.isNull((yield* keys.update(account, key.id, { monthlyCredits: null })).monthlyCredits)
      yield* createJob(account, { key: key.id, hold: 4 })
    }),
  ),
]
