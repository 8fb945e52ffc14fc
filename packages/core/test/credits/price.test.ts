import { billableLength, priceOf, rateOf } from "@earmark/core/credits"
import { assert, it } from "@effect/vitest"
import { FastCheck } from "effect"

it.each([
  [0, false, 1],
  [1, false, 1],
  [60, false, 1],
  [60.001, false, 2],
  [61, false, 2],
  [3600, false, 60],
  [599, true, 10],
  [600, true, 30],
  [601, true, 33],
  [600, false, 10],
])("%d seconds, diarized %s: %d", (seconds, diarize, credits) => {
  assert.strictEqual(priceOf({ seconds, diarize }), credits)
})

it("is nothing for what comes from the cache or from captions", () => {
  assert.strictEqual(priceOf({ seconds: 3600, diarize: true, origin: "cache" }), 0)
  assert.strictEqual(priceOf({ seconds: 3600, diarize: true, origin: "captions" }), 0)
  assert.strictEqual(priceOf({ seconds: 3600, diarize: true, origin: "engine" }), 180)
})

it("an operator says what long-form is", () => {
  assert.strictEqual(priceOf({ seconds: 60, diarize: true, longFormSeconds: 60 }), 3)
  assert.strictEqual(rateOf({ seconds: 59, diarize: true, longFormSeconds: 60 }), 1)
})

const seconds = FastCheck.integer({ min: 0, max: 1_000_000 })

it.prop("never falls with the length", { seconds, more: seconds }, (given) => {
  const longer = given.seconds + given.more
  for (const diarize of [true, false]) {
    assert.isAtLeast(priceOf({ seconds: longer, diarize }), priceOf({ seconds: given.seconds, diarize }))
  }
})

it.each([
  [null, null, 100],
  [10, null, 90],
  [null, 40, 40],
  [10, 40, 30],
  [10, 400, 90],
  [100, null, 0],
  [200, 300, 0],
])("from %s to %s of 100 are %d", (startAt, endAt, length) => {
  assert.strictEqual(billableLength(100, { startAt, endAt }), length)
})

it.each([-1, -0.001, Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
  "a length of %d has no price",
  (seconds) => {
    assert.throws(() => priceOf({ seconds, diarize: false }), RangeError)
  },
)
