import { AccountId } from "@earmark/core/jobs"
import { assert, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { Accounts, RateLimiter, StoreMemory } from "../../src/index.js"

const account = AccountId.make("acct_01k00000000000000000000000")
const policy = { limit: 1, windowSeconds: 60, burst: 1 }

it.effect("the clock of the stores is the one they were built under", () =>
  Effect.gen(function* () {
    const limiter = yield* RateLimiter
    assert.isTrue((yield* limiter.take("b", policy)).allowed)
    assert.isFalse((yield* limiter.take("b", policy)).allowed)
    yield* TestClock.adjust("1 minute")
    assert.isTrue((yield* limiter.take("b", policy)).allowed)
  }).pipe(Effect.provide(StoreMemory.layer)),
)

it.effect("each layer that is built is a database of its own", () =>
  Effect.gen(function* () {
    const make = Effect.flatMap(Accounts, (accounts) =>
      accounts.create({ id: account, name: "Ann", email: null, freeCredits: 60, createdAt: 0 }),
    )
    const count = Effect.flatMap(Accounts, (accounts) => accounts.list({ limit: 10, after: null }))
    yield* Effect.provide(make, StoreMemory.layer)
    assert.deepStrictEqual((yield* Effect.provide(count, StoreMemory.layer)).items, [])
  }),
)
