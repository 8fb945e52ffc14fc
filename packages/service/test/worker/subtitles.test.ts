import type { CaptionFile } from "@earmark/core/captions"
import {
  Earmark,
  type EmbeddedCaptions,
  type Listening,
  type Media,
  MediaDecoder,
  Worker,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Stream } from "effect"
import { tenSeconds } from "../transcribe/hearing.js"
import { balance, create, get, inWorld, newAccount, pass, settle } from "../world.js"

const SENTENCE = "Nobody had seen the lighthouse since the winter storm and the long night after it."

/** A sentence every five seconds, up to a moment. */
const fileUpTo = (seconds: number): CaptionFile => ({
  format: "vtt",
  language: null,
  problems: [],
  cues: Array.from({ length: Math.floor(seconds / 5) }, (_, at) => ({
    start: at * 5000,
    end: at * 5000 + 4000,
    speaker: null,
    lines: [SENTENCE],
    words: [],
  })),
})

const track = (seconds: number, facts: Partial<EmbeddedCaptions> = {}) => {
  let reads = 0
  const captions: EmbeddedCaptions = {
    language: "en",
    isDefault: true,
    read: Effect.sync(() => {
      reads += 1
      return fileUpTo(seconds)
    }),
    ...facts,
  }
  return { captions, reads: () => reads }
}

/** One minute of sound with subtitles inside. */
const minuteWith = (captions: ReadonlyArray<EmbeddedCaptions>) => {
  let decoded = 0
  const asked: Array<Listening> = []
  const windows = Stream.suspend(() => {
    decoded += 1
    return Stream.fromIterable(tenSeconds(6))
  })
  const media: Media = {
    durationSeconds: 60,
    fingerprint: "f",
    language: "en",
    captions,
    cut: "c",
    warnings: [],
    excerpts: Effect.succeed([]),
    windows,
    summary: Effect.succeed({ durationSeconds: 60, speech: tenSeconds(6), warnings: [] }),
  }
  const open = (_: unknown, listening: Listening) =>
    Effect.sync(() => {
      asked.push(listening)
      return media
    })
  return { decoder: MediaDecoder.of({ open, openFile: open }), decoded: () => decoded, asked }
}

const outcome = (captions: ReadonlyArray<EmbeddedCaptions>, options: Record<string, unknown> = {}) =>
  Effect.gen(function* () {
    const account = yield* newAccount()
    const { decoder, decoded, asked } = minuteWith(captions)
    const context = yield* Layer.build(
      Layer.fresh(Earmark.loops).pipe(Layer.provide(Layer.succeed(MediaDecoder, decoder))),
    )
    const { id } = yield* create(account, { url: "https://a.example/film.mp4?seconds=60", ...options })
    const working = yield* Effect.fork(Context.get(context, Worker).run)
    yield* settle
    const job = yield* get(account, id)
    yield* Fiber.interruptFork(working)
    yield* pass("1 minute")
    if (job.status !== "done") return assert.fail(job.failure?.code ?? job.status)
    const warnings = job.warnings.map(({ code }) => code)
    return { job, warnings, decoded: decoded(), asked, balance: yield* balance(account) }
  })

describe("subtitles inside the media", () => {
  it.scoped("stand for the transcript: nothing is decoded, nothing is billed", () =>
    Effect.gen(function* () {
      const { job, warnings, decoded, balance } = yield* outcome([track(60).captions])
      assert.deepInclude(job, { origin: "captions", billedMinutes: 0, language: "en" })
      assert.deepStrictEqual(warnings, ["no_word_times"])
      assert.deepStrictEqual([decoded, balance], [0, { posted: 60, held: 0 }])
      assert.include(job.text, "lighthouse")
    }).pipe(inWorld()),
  )

  it.scoped("that end long before the media do are not enough, and say so", () =>
    Effect.gen(function* () {
      const { job, warnings, decoded } = yield* outcome([track(30).captions])
      assert.strictEqual(job.origin, "engine")
      assert.deepStrictEqual(warnings, ["captions_incomplete"])
      assert.strictEqual(decoded, 1)
    }).pipe(inWorld()),
  )

  it.scoped("with long holes in them are not enough either", () =>
    Effect.gen(function* () {
      const cues = fileUpTo(60).cues.map((cue) => ({ ...cue, end: cue.start + 1500 }))
      const sparse = track(60, { read: Effect.succeed({ ...fileUpTo(60), cues }) })
      const { job, warnings } = yield* outcome([sparse.captions])
      assert.deepStrictEqual([job.origin, warnings], ["engine", ["captions_incomplete"]])
    }).pipe(inWorld()),
  )

  it.scoped("in a language that nobody asked for are not even read", () =>
    Effect.gen(function* () {
      const german = track(60, { language: "de" })
      const { job } = yield* outcome([german.captions], { language: "en" })
      assert.deepStrictEqual([job.origin, german.reads()], ["engine", 0])
      const english = track(60)
      const other = yield* outcome([german.captions, english.captions])
      assert.deepStrictEqual([other.job.origin, german.reads(), english.reads()], ["captions", 0, 1])
    }).pipe(inWorld()),
  )

  it.scoped("are no answer to whoever wants the accurate quality by name", () =>
    Effect.gen(function* () {
      const { captions, reads } = track(60)
      const { job } = yield* outcome([captions], { quality: "accurate" })
      assert.deepStrictEqual([job.origin, reads()], ["engine", 0])
    }).pipe(inWorld()),
  )

  it.scoped("the decoder learns what is to be heard, and how long media may be", () =>
    Effect.gen(function* () {
      const { asked } = yield* outcome([], { language: "en", start_at: 5, end_at: 50 })
      assert.deepInclude(asked[0], { language: "en", startAt: 5000, endAt: 50_000, maxSeconds: 7200 })
    }).pipe(inWorld({ config: { maxMediaMinutes: 120 } })),
  )
})
