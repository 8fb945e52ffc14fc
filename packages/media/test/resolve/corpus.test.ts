import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { readFeed } from "@earmark/core/feeds"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, TestClock } from "effect"
import { readFeedDocument } from "../../src/index.js"
import { episodes, rss, said, today, turn } from "./world.js"

const corpus = fileURLToPath(new URL("../../../../../shared/corpus/feeds", import.meta.url))
const isThere = existsSync(corpus)
const EVERY = 19

const files = isThere
  ? readdirSync(corpus, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:xml|rss|atom|json)$/i.test(name) && name.includes("/"))
      .sort()
      .filter((_, index) => index % EVERY === 0)
  : []

describe.skipIf(!isThere)(`real feeds (skipped unless they are at ${corpus})`, () => {
  it.effect("are found with the episodes that are in them, or refused", () =>
    turn({}, ({ base, feed, replies }) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 0, 1))
        let read = 0
        for (const [index, name] of files.entries()) {
          const bytes = readFileSync(join(corpus, name))
          replies.set(`/${index}`, bytes)
          const direct = readFeed(bytes, { now: Date.UTC(2026, 0, 1), baseUrl: `${base}/${index}` })
          const found = yield* Effect.either(feed(`${base}/${index}`, 5))
          if (Either.isLeft(direct) || Either.isLeft(found)) continue
          // What moved or goes on elsewhere is not on this machine.
          if (direct.right.newFeedUrl !== null || direct.right.nextPageUrl !== null) continue
          assert.strictEqual(found.right.total, direct.right.total, name)
          read++
        }
        assert.isAbove(read, files.length / 2)
      }),
    ),
  )
})

describe("a feed in a file", () => {
  it.effect("is read like one at an address", () =>
    Effect.gen(function* () {
      yield* today
      const more = `<atom:link rel="self" href="https://show.example/feed"/>`
      const list = yield* readFeedDocument(Buffer.from(rss(episodes(30), more)), 2)
      assert.deepInclude(list, { feedUrl: "https://show.example/feed", title: "A Show", total: 30 })
      assert.deepStrictEqual(
        list.episodes.map(({ title }) => title),
        ["Episode 30", "Episode 29"],
      )
    }),
  )

  it.live("lets others have their turn while it is read", () =>
    Effect.gen(function* () {
      const notes = `<description>${"notes ".repeat(400)}</description>`
      const items = episodes(4000).map((item) => ({ ...item, more: notes }))
      let turns = 0
      let isRead = false
      const count = () => {
        turns++
        if (!isRead) setImmediate(count)
      }
      setImmediate(count)
      const { total } = yield* readFeedDocument(Buffer.from(rss(items)), 1)
      isRead = true
      assert.strictEqual(total, 4000)
      assert.isAbove(turns, 100)
    }),
  )

  it.effect("is refused when it is none, or past its limits", () =>
    Effect.gen(function* () {
      const says = (text: string, options = {}) => said(readFeedDocument(Buffer.from(text), 5, options))
      assert.strictEqual(yield* says(""), "feed_invalid feed_invalid")
      assert.strictEqual(yield* says("<html></html>"), "feed_invalid feed_invalid")
      assert.strictEqual(yield* says("ID3"), "feed_invalid feed_invalid")
      assert.strictEqual(yield* says(rss(episodes(3)), { feedItems: 2 }), "feed_invalid feed_invalid")
      assert.strictEqual(yield* says(rss(episodes(3)), { feedBytes: 100 }), "feed_invalid feed_invalid")
    }),
  )
})
