import { warningOf } from "@earmark/core/jobs"
import { assert, describe, it } from "@effect/vitest"
import { mediaLength } from "../../src/transcribe/mediaLength.js"

const all = { startAt: null, endAt: null }
const whole = (durationSeconds: number) => ({ durationSeconds, warnings: [] })
const cut = (durationSeconds: number) => ({ durationSeconds, warnings: [warningOf("media_truncated")] })

describe("how long media is", () => {
  it("is what was announced, or what was heard where nothing was", () => {
    assert.strictEqual(mediaLength(30, whole(29.9), all), 30)
    assert.strictEqual(mediaLength(null, whole(29.9), all), 29.9)
    assert.strictEqual(mediaLength(null, whole(20), { startAt: 10_000, endAt: null }), 30)
  })

  it("is what was there when that ended sooner", () => {
    assert.strictEqual(mediaLength(30, cut(0.87), all), 0.87)
    assert.strictEqual(mediaLength(30, cut(5), { startAt: 10_000, endAt: null }), 15)
    assert.strictEqual(mediaLength(30, cut(5), { startAt: 10_000, endAt: 25_000 }), 15)
  })

  it("stays what was announced where hearing stopped before the end", () => {
    assert.strictEqual(mediaLength(30, cut(10), { startAt: null, endAt: 10_000 }), 30)
    assert.strictEqual(mediaLength(30, cut(9.95), { startAt: 10_000, endAt: 20_000 }), 30)
  })
})
