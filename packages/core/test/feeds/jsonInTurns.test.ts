import { feedReader } from "@earmark/core/feeds"
import { cpuMilliseconds } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { now } from "./reading.js"

const MEBIBYTE = 1024 * 1024
const TRIES = 3

const item = (index: number) =>
  `{"id":"${index}","title":"Part ${index}","attachments":[{"url":"https://m.example/${index}.mp3"}],"content_text":"${"x".repeat(330)}"}`

const longestTurn = (document: Uint8Array) => {
  const tries = Array.from({ length: TRIES }, () => {
    const reader = feedReader({ now, limits: { items: 20_000, jsonBytes: 8 * MEBIBYTE } })
    reader.push(document)
    const turns = reader.endInTurns()
    for (let longest = 0; ; ) {
      const started = cpuMilliseconds()
      const turn = turns.next()
      longest = Math.max(longest, cpuMilliseconds() - started)
      if (turn.done === true) return { longest, feed: turn.value }
    }
  })
  return tries.reduce((best, each) => (each.longest < best.longest ? each : best))
}

describe("the largest JSON feeds", () => {
  it("are read in turns of some milliseconds", () => {
    const items = Array.from({ length: 18_000 }, (_, index) => item(index)).join()
    const { longest, feed } = longestTurn(Buffer.from(`{"items":[${items}]}`))
    assert.strictEqual(Either.getOrThrow(feed).total, 18_000)
    assert.isBelow(longest, 100)
  })

  it("are refused unread where they hold more values than items need", () => {
    for (const document of [
      `{"items":[${"{},".repeat(2_500_000)}{}]}`,
      `{"items":[{"a":${"[".repeat(4_000_000)}${"]".repeat(4_000_000)}}]}`,
    ]) {
      const { longest, feed } = longestTurn(Buffer.from(document))
      assert.strictEqual(Either.isLeft(feed) ? feed.left.reason : "read", "too-many-items")
      assert.isBelow(longest, 100)
    }
  })
})
