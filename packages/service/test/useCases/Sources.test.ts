import { AccountId, effectiveOptions } from "@earmark/core/jobs"
import { ServiceConfig, SourceRefused, SourceResolver, StoreMemory } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Option, TestClock } from "effect"
import { searchCaptions } from "../../src/useCases/captionBacked.js"
import { makeSources } from "../../src/useCases/Sources.js"
import { bodyOf } from "../world.js"

const account = AccountId.make("acct_01k00000000000000000000000")
const request = bodyOf({ url: "https://slow.example/feed", episode_guid: "7" })

describe("finding a source", () => {
  it.effect("does not hold a request up: what takes longer is looked for by the worker", () =>
    Effect.gen(function* () {
      const { find } = yield* makeSources
      // As for an agent, whose going away ends nothing.
      const fiber = yield* Effect.fork(Effect.uninterruptible(find(account, request)))
      yield* TestClock.adjust("3900 millis")
      assert.isTrue(Option.isNone(yield* Fiber.poll(fiber)))
      yield* TestClock.adjust("200 millis")
      const { source } = yield* Fiber.join(fiber)
      assert.isNull(source.mediaUrl)
      assert.deepStrictEqual(source.facts?.asked, {
        type: "link",
        link: "https://slow.example/feed",
        episode: { guid: "7" },
      })
    }).pipe(
      Effect.provide(
        Layer.mergeAll(
          StoreMemory.layer,
          ServiceConfig.layer(),
          Layer.succeed(SourceResolver, {
            resolve: () => Effect.never,
            feed: () => Effect.never,
            readFeed: () => Effect.never,
            captions: () => Effect.never,
          }),
        ),
      ),
    ),
  )
})

describe("a source that is not there", () => {
  const gone = new SourceRefused({
    code: "unresolvable_link",
    failure: "source_not_found",
    detail: "a.example answered 404.",
    later: false,
  })
  const finding = (body: unknown) =>
    Effect.flatMap(makeSources, ({ find }) => Effect.exit(find(account, bodyOf(body)))).pipe(
      Effect.provide(
        Layer.mergeAll(
          StoreMemory.layer,
          ServiceConfig.layer(),
          Layer.succeed(SourceResolver, {
            resolve: () => Effect.fail(gone),
            feed: () => Effect.never,
            readFeed: () => Effect.never,
            captions: () => Effect.never,
          }),
        ),
      ),
    )

  for (const body of [{ url: "https://a.example/talk.mp3" }, { blob_url: "https://a.example/x" }]) {
    it.effect(`is the job's to find out, where the link is that of a file: ${JSON.stringify(body)}`, () =>
      Effect.map(finding(body), (exit) => assert.isTrue(Exit.isSuccess(exit))),
    )
  }

  for (const body of [
    { url: "https://a.example/feed.xml" },
    { url: "https://a.example/shows/7" },
    { url: "https://a.example/talk.mp3", episode_index: 0 },
    { url: "http://10.0.0.1/talk.mp3" },
  ]) {
    it.effect(`is told at once, where the link has to be resolved: ${JSON.stringify(body)}`, () =>
      Effect.map(finding(body), (exit) => assert.isTrue(Exit.isFailure(exit))),
    )
  }
})

/** Captions that people made, of a source of a kind. */
const captioned = (kind: "social" | "media") => ({
  shown: { kind },
  mediaUrl: "https://example.org",
  link: null,
  identity: null,
  facts: {
    asked: null,
    isPublic: true,
    language: "en",
    captions: [{ url: "https://captions.example/en.vtt#t=0,90", language: "en", madeBy: "people" as const }],
  },
})

describe("captions that name their speakers", () => {
  it.effect("give labels to all of them, and keep the names of a hundred", () =>
    Effect.gen(function* () {
      const cues = Array.from({ length: 30_000 }, (_, index) => ({
        ...{ start: index * 3000, end: (index + 1) * 3000, lines: ["A few words"], words: [] },
        speaker: `Voice ${index + 1} ${"x".repeat(80)}`,
      }))
      const { transcript, speakerNames } = yield* searchCaptions(
        {
          source: captioned("media"),
          options: effectiveOptions(bodyOf({ url: "https://a.example/x.mp3", diarize: true }), {
            quality: "accurate",
          }),
          durationSeconds: 90_000,
        },
        {
          resolve: () => Effect.never,
          feed: () => Effect.never,
          readFeed: () => Effect.never,
          captions: () => Effect.succeed({ format: "vtt" as const, language: "en", cues, problems: [] }),
        },
        ServiceConfig.defaults,
      )
      assert.strictEqual(transcript?.segments.at(-1)?.speaker, "Speaker 30000")
      assert.strictEqual(Object.keys(speakerNames).length, 100)
      assert.match(speakerNames["Speaker 100"] ?? "", /^Voice 100 x+$/)
      assert.isBelow(JSON.stringify(speakerNames).length, 20_000)
    }),
  )
})

describe("the captions of a clip", () => {
  const cues = Array.from({ length: 30 }, (_, index) => ({
    start: index * 3000,
    end: (index + 1) * 3000,
    speaker: null,
    lines: ["A few words that somebody says"],
    words: [],
  }))
  const resolver = {
    resolve: () => Effect.never,
    feed: () => Effect.never,
    readFeed: () => Effect.never,
    captions: () => Effect.succeed({ format: "vtt" as const, language: "en", cues, problems: [] }),
  }
  const options = effectiveOptions(bodyOf({ url: "https://youtu.be/dQw4w9WgXcQ" }), { quality: "accurate" })
  const search = (kind: "social" | "media", durationSeconds: number | null) =>
    searchCaptions(
      {
        source: captioned(kind),
        options,
        durationSeconds,
      },
      resolver,
      ServiceConfig.defaults,
    ).pipe(Effect.map(({ transcript, warnings }) => [transcript !== null, warnings.map(({ code }) => code)]))

  it.effect("say so when they are those of its beginning only", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* search("social", 90), [true, ["no_word_times", "clip_capped"]])
      assert.deepStrictEqual(yield* search("social", null), [true, ["no_word_times", "clip_capped"]])
      assert.deepStrictEqual(yield* search("social", 89), [true, ["no_word_times"]])
      assert.deepStrictEqual(yield* search("media", 90), [true, ["no_word_times"]])
    }),
  )
})
