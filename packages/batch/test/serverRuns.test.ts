import { join } from "node:path"
import { EarmarkClient } from "@earmark/api/client"
import type { HearingProgress } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import type { BatchOptions } from "../src/BatchOptions.js"
import type { BatchEvent } from "../src/events.js"
import { runBatchOnServer } from "../src/runBatch.js"
import { layerOf, newPlace } from "./world.js"

const JOB = "tr_00000000000000000000"

const queued = {
  id: JOB,
  status: "queued",
  phase: "transcribing",
  progress: 0.5,
  title: "A talk",
  source: { kind: "media" },
  duration_seconds: null,
  error: null,
  failure: null,
}

const done = {
  ...queued,
  status: "done",
  phase: null,
  progress: 1,
  duration_seconds: 600,
  origin: "engine",
  engine: "scripted",
  language: "en",
  word_count: 2,
  text: "Good morning.",
  segments: [],
  speakers: {},
  warnings: [],
  enrichment: {},
}

const episodes = [0, 1].map((index) => ({
  guid: `episode-${index}`,
  title: `Episode ${index}`,
  link: null,
  index,
  published_at: null,
  duration_seconds: 600,
  transcripts: [],
  audio_url: `https://media.example/${index}.mp3`,
}))

/** The same with a text of the publisher. */
const captioned = episodes.map((episode) => ({
  ...episode,
  transcripts: [{ url: "https://media.example/text.vtt", type: "text/vtt", language: "en" }],
}))

/** A server that has these answers for a quote and for each look at its one job; the last one stays. */
const serverWith = (quote: object, looks: ReadonlyArray<object>, billing?: boolean) => {
  const asked: Array<object> = []
  let left = [...looks]
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const json = (body: object, status = 200) => Response.json(body, { status })
    if (pathname.endsWith("/quotes")) {
      asked.push(JSON.parse(String(init?.body)))
      return json(quote, "status" in quote ? 429 : 200)
    }
    if (pathname.endsWith("/credits")) return json({ balance: 0, billing })
    if (pathname.endsWith("/episodes"))
      return json({
        title: "A show",
        data: search.includes("captioned") ? captioned : episodes,
        next_cursor: null,
      })
    if (pathname.endsWith("/export")) return new Response("Good morning.")
    if (init?.method === "POST") return json(queued, 202)
    return json(left.length > 1 ? (left.shift() ?? done) : (left[0] ?? done))
  }
  const client = new EarmarkClient({
    baseUrl: "http://127.0.0.1:1",
    apiKey: "em_test_none",
    fetch,
    retries: 0,
  })
  const run = (options: BatchOptions, fileLength?: number) =>
    Effect.provide(
      runBatchOnServer(options, {
        client,
        baseUrl: "http://127.0.0.1:1",
        fileLength: () => Effect.succeed(fileLength ?? null),
      }),
      layerOf(),
    )
  const thenAnswer = (later: ReadonlyArray<object>) => {
    left = [...later]
  }
  return { run, asked, thenAnswer }
}

const quoteOf = (cached: boolean) => ({
  title: "A talk",
  source: { kind: "media" },
  duration_seconds: 600,
  minutes: 10,
  credits: cached ? 0 : 10,
  rate: 1,
  cached,
})

const TALK = "https://media.example/talk.mp3"

describe("a run whose work is done by a server", () => {
  it.live("does not count what the server has already", () =>
    Effect.gen(function* () {
      const place = newPlace()
      const options = { sources: [TALK], output: place, maxMinutes: 1, maxCredits: 0 }
      const held = yield* serverWith(quoteOf(false), [done]).run({ ...options, state: join(place, "one") })
      assert.deepInclude(held.counts, { held: 1, done: 0 })
      const free = yield* serverWith(quoteOf(true), [done]).run({ ...options, state: join(place, "two") })
      assert.deepInclude(free.counts, { held: 0, done: 1 })
    }),
  )

  it.live("counts no credits where the server has no billing", () =>
    Effect.gen(function* () {
      const plan = { sources: [TALK], dryRun: true, state: join(newPlace(), "state") }
      const priced = yield* serverWith(quoteOf(false), [done], true).run(plan)
      assert.deepInclude(priced.results[0], { credits: 10, creditsAtMost: 10, takesCredits: true })
      const free = yield* serverWith(quoteOf(false), [done], false).run(plan)
      assert.deepInclude(free.results[0], { minutes: 10, credits: 0, creditsAtMost: 0, takesCredits: false })
      const place = newPlace()
      const options = { sources: [TALK], output: place, maxCredits: 0, state: join(place, "state") }
      const run = yield* serverWith(quoteOf(false), [done], false).run(options)
      assert.deepInclude(run.counts, { held: 0, done: 1 })
    }),
  )

  it.live("plans a part of what the server has already as cached", () =>
    Effect.gen(function* () {
      const place = newPlace()
      const { run, asked } = serverWith(quoteOf(true), [done])
      const options = { sources: [TALK], state: join(place, "state"), dryRun: true }
      const { results } = yield* run({ ...options, options: { startAt: 60_000, endAt: 120_000 } })
      const [plan] = results
      assert.deepInclude(plan, { status: "planned", origin: "cache", credits: 0, partSeconds: 60 })
      assert.deepInclude(asked[0], { start_at: 60, end_at: 120 })
    }),
  )

  it.live("plans episodes whose length the feed tells as cached where the server has them", () =>
    Effect.gen(function* () {
      const place = newPlace()
      const { run, asked } = serverWith(quoteOf(true), [done])
      const feed = "https://media.example/feed.xml"
      const options = { sources: [feed], state: join(place, "state"), dryRun: true, episodes: {} }
      const { results } = yield* run(options)
      assert.lengthOf(results, 2)
      for (const result of results)
        assert.deepInclude(result, { status: "planned", origin: "cache", credits: 0, seconds: 600 })
      assert.deepInclude(asked[1], { url: feed, episode_guid: "episode-1" })
    }),
  )

  it.live("plans to listen to what has captions where the server would: with accurate, not with fast", () =>
    Effect.gen(function* () {
      const options = { sources: ["https://media.example/captioned.xml"], dryRun: true, episodes: {} }
      for (const [quality, origin, credits] of [
        ["accurate", "engine", 10],
        ["fast", "captions", 0],
        [undefined, "captions", 0],
      ] as const) {
        const { run, asked } = serverWith(quoteOf(false), [done])
        const state = join(newPlace(), "state")
        const { results } = yield* run({
          ...options,
          state,
          ...(quality !== undefined && { options: { quality } }),
        })
        for (const result of results)
          assert.deepInclude(result, { status: "planned", origin, credits, creditsAtMost: 10 })
        assert.deepInclude(asked[0], { episode_guid: "episode-0", ...(quality !== undefined && { quality }) })
      }
    }),
  )

  it.live("plans episodes by the feed alone once the server wants no more quotes", () =>
    Effect.gen(function* () {
      const place = newPlace()
      const refusal = {
        type: "about:blank",
        status: 429,
        code: "rate_limited",
        title: "Too many",
        detail: "",
      }
      const { run } = serverWith(refusal, [done])
      const options = { state: join(place, "state"), dryRun: true, episodes: {} }
      const { results } = yield* run({ ...options, sources: ["https://media.example/feed.xml"] })
      for (const result of results)
        assert.deepInclude(result, { status: "planned", origin: "engine", credits: 10, seconds: 600 })
    }),
  )

  it.live("joined again, shows at once how far the server is", () =>
    Effect.gen(function* () {
      const place = newPlace()
      const half = { ...queued, duration_seconds: 600 }
      const { run, thenAnswer } = serverWith(quoteOf(false), [half])
      const options = { sources: [TALK], output: place, state: join(place, "state") }
      const isBegun = yield* Deferred.make<void>()
      const begin = (event: BatchEvent) =>
        event.type === "progress" ? Effect.asVoid(Deferred.succeed(isBegun, undefined)) : Effect.void
      const first = yield* Effect.fork(run({ ...options, onEvent: begin }))
      yield* Deferred.await(isBegun)
      yield* Fiber.interrupt(first)
      thenAnswer([half, { ...half, progress: 0.75 }, done])
      const seen: Array<HearingProgress> = []
      const onEvent = (event: BatchEvent) =>
        Effect.sync(() => void (event.type === "progress" && seen.push(event.progress)))
      const { counts } = yield* run({ ...options, onEvent })
      assert.strictEqual(counts.done, 1)
      const [joined, next] = seen
      assert.deepStrictEqual(joined, { heardSeconds: 300, share: 0.5, secondsLeft: null })
      assert.deepInclude(next, { heardSeconds: 450, share: 0.75 })
      assert.isNumber(next?.secondsLeft)
    }),
  )
})
