import {
  batchHolds,
  decideReload,
  OutOfCredits,
  type ReloadFacts,
  retryAfterDecline,
} from "@earmark/core/credits"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const balance = (posted: number, held = 0) => ({
  account: "a",
  posted,
  held,
  floor: Math.min(0, posted - held),
})

describe("the holds of a batch", () => {
  it.each<[number, ReadonlyArray<number>, number, number]>([
    [100, [], 0, 0],
    [0, [], 0, 0],
    [100, [10, 20, 30], 3, 60],
    [60, [10, 20, 30], 3, 60],
    [59, [10, 20, 30], 2, 30],
    [30, [10, 50, 5], 1, 10],
    [5, [10, 1], 0, 0],
  ])("%d credits for %j: the first %d", (posted, amounts, held, sum) => {
    assert.deepStrictEqual(Either.getOrThrow(batchHolds(balance(posted), amounts)), { held, sum })
  })

  it("count what other jobs hold, and are refused when nothing is left", () => {
    assert.deepStrictEqual(Either.getOrThrow(batchHolds(balance(60, 50), [10, 1])), { held: 1, sum: 10 })
    for (const nothing of [balance(0), balance(60, 60), balance(-5)]) {
      assert.deepStrictEqual(
        Either.getLeft(batchHolds(nothing, [10, 1])),
        Either.getLeft(Either.left(new OutOfCredits({ balance: nothing.posted, available: 0, needed: 11 }))),
      )
    }
  })

  it("says what is needed and what there is", () => {
    const told = (needed: number, available: number) =>
      new OutOfCredits({ balance: 0, needed, available }).message
    assert.strictEqual(told(1, 0), "1 credit is needed and 0 are available")
    assert.strictEqual(told(1200, 1), "1,200 credits are needed and 1 is available")
  })

  const amounts = FastCheck.array(FastCheck.integer({ min: 1, max: 50 }), { minLength: 1 })

  it.prop(
    "are as many as fit, and not one more",
    { amounts, posted: FastCheck.integer({ min: 1, max: 500 }) },
    (given) => {
      const { held, sum } = Either.getOrThrow(batchHolds(balance(given.posted), given.amounts))
      const first = (count: number) =>
        given.amounts.slice(0, count).reduce((total, amount) => total + amount, 0)
      assert.strictEqual(sum, first(held))
      assert.isAtMost(sum, given.posted)
      if (held < given.amounts.length) assert.isAbove(first(held + 1), given.posted)
    },
  )
})

describe("auto-reload", () => {
  const HOUR = 3_600_000
  const settings = { enabled: true, threshold: 10, amount: 100, monthlyCap: 300 }
  const facts: ReloadFacts = { available: 9, inFlight: false, boughtThisMonth: 0, declined: null }
  const NOW = 100 * HOUR

  it.each<[string, Partial<typeof settings>, Partial<ReloadFacts>, string]>([
    ["off", { enabled: false }, {}, "off"],
    ["at the threshold", {}, { available: 10 }, "enough"],
    ["a reload on its way", {}, { inFlight: true }, "in_flight"],
    ["up to the cap", {}, { boughtThisMonth: 200 }, "buys 100"],
    ["above the cap", {}, { boughtThisMonth: 201 }, "monthly_cap"],
    ["below the threshold", {}, {}, "buys 100"],
    ["in debt", {}, { available: -50 }, "buys 100"],
    ["just declined", {}, { declined: { times: 1, at: NOW - HOUR + 1 } }, "declined"],
    ["declined an hour ago", {}, { declined: { times: 1, at: NOW - HOUR } }, "buys 100"],
    ["declined twice, an hour ago", {}, { declined: { times: 2, at: NOW - HOUR } }, "declined"],
    ["declined twice, a day ago", {}, { declined: { times: 2, at: NOW - 24 * HOUR } }, "buys 100"],
    ["declined three times, long ago", {}, { declined: { times: 3, at: 0 } }, "declined"],
  ])("%s: %s %s -> %s", (_name, setting, fact, expected) => {
    const decision = decideReload({ ...settings, ...setting }, { ...facts, ...fact }, NOW)
    assert.strictEqual(decision.reload ? `buys ${decision.amount}` : decision.reason, expected)
  })

  it("is switched off after the third decline", () => {
    assert.strictEqual(retryAfterDecline({ times: 1, at: 0 }), HOUR)
    assert.strictEqual(retryAfterDecline({ times: 2, at: 0 }), 24 * HOUR)
    assert.isNull(retryAfterDecline({ times: 3, at: 0 }))
  })
})
