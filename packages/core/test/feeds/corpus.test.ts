import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type FeedOptions, parseFeedDate, parseFeedDuration, readFeed } from "@earmark/core/feeds"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { inPieces, now } from "./reading.js"

const corpus = fileURLToPath(new URL("../../../../../shared/corpus/feeds/", import.meta.url))
const isThere = existsSync(corpus)

interface Expectation {
  readonly file: string
  readonly total_items: number
  readonly total_episodes: number
  readonly episodes_newest_first: ReadonlyArray<Readonly<Record<string, unknown>>>
}

interface Case {
  readonly input: string
  readonly expect: unknown
}

const bytesOf = (file: string) => readFileSync(corpus + file)

const json = (file: string) => JSON.parse(bytesOf(file).toString())

const readFile = (bytes: Buffer, options: Partial<FeedOptions> = {}, size = Number.POSITIVE_INFINITY) =>
  readFeed(size < bytes.length ? inPieces(bytes, size) : bytes, { now, details: true, ...options })

const files = isThere
  ? readdirSync(corpus, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.parentPath.length >= corpus.length)
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(corpus.length).replace(/^\//, ""))
  : []

const iso = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString())

describe.skipIf(!isThere)(`the corpus of real feeds (skipped unless it is at ${corpus})`, () => {
  const cases: ReadonlyArray<Case> = isThere ? json("dates.json") : []
  const expectations: ReadonlyArray<Expectation> = isThere ? json("expect-open.json").feeds : []

  for (const zone of ["UTC", "America/New_York"]) {
    it(`every date, on a machine in ${zone}`, () => {
      const before = process.env.TZ
      process.env.TZ = zone
      // The machine really is there now.
      assert.strictEqual(new Date(2020, 0, 1).getTimezoneOffset(), zone === "UTC" ? 0 : 300)
      for (const { input, expect } of cases) assert.strictEqual(iso(parseFeedDate(input)), expect, input)
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    })
  }

  it("every duration", () => {
    const durations: ReadonlyArray<Case> = json("durations.json")
    for (const { input, expect } of durations) assert.strictEqual(parseFeedDuration(input), expect, input)
  })

  it("as many items as a strict parser finds in each well-formed feed", () => {
    const counts: Readonly<Record<string, number>> = json("counts.json")
    for (const [file, count] of Object.entries(counts)) {
      assert.strictEqual(Either.getOrThrow(readFile(bytesOf(file))).items, count, file)
    }
  })

  for (const expected of expectations) {
    it(`every episode of ${expected.file}`, () => {
      const baseUrl = "https://feeds.example/show/feed.xml"
      const feed = Either.getOrThrow(readFile(bytesOf(expected.file), { baseUrl }))
      assert.deepInclude(feed, { items: expected.total_items, total: expected.total_episodes })
      const found = feed.episodes.map((episode) => ({
        title: episode.title,
        guid: episode.guid,
        published_at: iso(episode.publishedAt),
        duration_seconds: episode.durationSeconds,
        audio_url: episode.audioUrl,
      }))
      assert.isAbove(expected.episodes_newest_first.length, 0)
      for (const [place, episode] of expected.episodes_newest_first.entries()) {
        assert.deepInclude(episode, found[place] ?? { title: "missing" })
      }
    })
  }

  it("the same at every chunk size", () => {
    for (const file of files) {
      const bytes = bytesOf(file)
      const whole = readFile(bytes)
      // One byte at a time says nothing more about long files, and takes long.
      for (const size of [1, 7, 777, 65_536].filter((size) => size > 1 || bytes.length < 20_000)) {
        assert.deepStrictEqual(readFile(bytes, {}, size), whole, `${file} by ${size}`)
      }
    }
  })

  it("the newest N are the first N of all", () => {
    for (const file of files) {
      const bytes = bytesOf(file)
      const all = readFile(bytes)
      for (const newest of [0, 1, 7]) {
        const few = readFile(bytes, { newest })
        const expected = Either.map(all, (feed) => ({ ...feed, episodes: feed.episodes.slice(0, newest) }))
        assert.deepStrictEqual(few, expected, file)
      }
    }
  })

  it("the same in UTF-16, where it was UTF-8", () => {
    for (const file of files) {
      const bytes = bytesOf(file)
      const text = bytes.toString()
      const isUtf8 =
        Buffer.from(text).equals(bytes) && !/encoding\s*=\s*["'](?!utf-8)/i.test(text.slice(0, 1000))
      if (isUtf8 && !text.includes("\u0000") && text !== "") {
        assert.deepStrictEqual(readFile(Buffer.from(`\ufeff${text}`, "utf16le")), readFile(bytes), file)
      }
    }
  })
})
