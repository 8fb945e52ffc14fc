import { effectiveOptions } from "@earmark/core/jobs"
import {
  type AudioWindow,
  type HearingProgress,
  type Media,
  MediaDecoder,
  makeTranscribeAlone,
  type Recognition,
  Scripted,
  type Span,
  SpeechEngine,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream, TestClock } from "effect"
import { mediaOf, nothing, windowOf, word } from "./hearing.js"

const asked = effectiveOptions({ channels: true, language: "en" })

/** Windows of a channel: the sample names the channel, so that an engine can tell them apart. */
const windowsOf = (channel: number, moments: ReadonlyArray<number>): ReadonlyArray<AudioWindow> =>
  moments.map((start, index) => ({
    ...windowOf(index, start, start + 4000),
    samples: new Int16Array(4000 * 16).fill(channel + 1),
  }))

const spanOf = (windows: ReadonlyArray<AudioWindow>) => ({
  windows: Stream.fromIterable(windows),
  summary: Effect.succeed({ durationSeconds: 60, speech: windows, warnings: [] }),
})

/** A recording of so many channels that were cut so. */
const recording = (
  channels: ReadonlyArray<ReadonlyArray<number>>,
  sameAs = channels.map((_, channel) => channel),
): Media =>
  mediaOf(windowsOf(8, [0, 20_000]), {
    durationSeconds: 60,
    channels: {
      count: channels.length,
      levels: Effect.succeed({ sameAs, levelAt: () => 50, isEcho: () => false }),
      open: (channel) =>
        Effect.succeed(
          mediaOf([], { durationSeconds: 60, ...spanOf(windowsOf(channel, channels[channel] ?? [])) }),
        ),
    },
  })

/** Two words in each window, named after its channel and moment. */
const heardIn = ({ start, samples }: AudioWindow): Recognition => ({
  ...nothing,
  words: [word(`c${samples[0]}`, start + 100), word(`at${start}.`, start + 300)],
})

const world = (
  media: Media,
  recognize: (window: AudioWindow) => Recognition = heardIn,
  delayOf: (window: AudioWindow) => number = () => 0,
) => {
  const decoder = Layer.succeed(MediaDecoder, {
    open: () => Effect.succeed(media),
    openFile: () => Effect.succeed(media),
  })
  const engine = Layer.effect(
    SpeechEngine,
    Effect.map(SpeechEngine, ({ capabilities }) =>
      SpeechEngine.of({
        capabilities: { ...capabilities, detectsLanguage: false },
        recognize: (window) => Effect.delay(Effect.succeed(recognize(window)), delayOf(window)),
      }),
    ),
  ).pipe(Layer.provide(Scripted.layer()))
  return Effect.provide(Layer.mergeAll(Scripted.layer(), decoder, engine))
}

const listen = (kept: ReadonlyArray<Span> = [], options = asked, reports: Array<HearingProgress> = []) =>
  Effect.gen(function* () {
    const { transcribe } = yield* makeTranscribeAlone
    const saved: Array<Span> = []
    const followed: Array<Span> = []
    const plans: Array<string> = []
    const finished = yield* transcribe({ type: "file", path: "call.wav" }, options, {
      checkpoints: {
        load: (plan) =>
          Effect.as(
            Effect.sync(() => plans.push(plan)),
            kept,
          ),
        save: (span) => Effect.sync(() => void saved.push(span)),
        report: (progress) => Effect.sync(() => void reports.push(progress)),
      },
      follow: (span) => Effect.sync(() => void followed.push(span)),
    })
    const lines = finished.content.segments.map(({ speaker, text }) => `${speaker}: ${text}`)
    return {
      finished,
      lines,
      saved,
      followed,
      reports,
      plans,
      codes: finished.warnings.map(({ code }) => code),
    }
  }).pipe(Effect.scoped)

const CALL = [
  [10_000, 30_000],
  [0, 20_000, 40_000],
]

const LINES = [
  "Speaker 2: c2 at0.",
  "Speaker 1: c1 at10000.",
  "Speaker 2: c2 at20000.",
  "Speaker 1: c1 at30000.",
  "Speaker 2: c2 at40000.",
]

describe("channels as speakers", () => {
  it.effect("each channel is one speaker, and everything comes in the order of time", () =>
    Effect.gen(function* () {
      const { lines, followed, saved, reports, plans, codes } = yield* listen()
      assert.deepStrictEqual(lines, LINES)
      assert.deepStrictEqual(
        followed.map(({ index, start, words }) => [index, start, words[0]?.speaker]),
        [0, 1, 2, 3, 4].map((at) => [at, at * 10_000, at % 2 === 0 ? "Speaker 2" : "Speaker 1"]),
      )
      assert.strictEqual(plans.length, 1)
      assert.deepStrictEqual(saved.map(({ index }) => index).sort(), [0, 1, 2, 3, 5])
      reports.forEach(({ heardSeconds, share }, at) => {
        assert.isAtLeast(heardSeconds, reports[at - 1]?.heardSeconds ?? 0)
        assert.isAtLeast(share ?? 0, reports[at - 1]?.share ?? 0)
        assert.isAtMost(share ?? 0, 1)
      })
      assert.notInclude(codes, "channels_alike")
    }).pipe(world(recording(CALL))),
  )

  it.effect("nothing counts as heard before every channel has come so far", () =>
    Effect.gen(function* () {
      const reports: Array<HearingProgress> = []
      const run = yield* Effect.fork(listen([], asked, reports))
      yield* TestClock.adjust("20 seconds")
      assert.isAtLeast(reports.length, 2)
      assert.isTrue(reports.every(({ heardSeconds }) => heardSeconds === 0))
      assert.isAbove(reports.at(-1)?.share ?? 0, 0)
      yield* TestClock.adjust("10 minutes")
      yield* Fiber.join(run)
      assert.strictEqual(reports.at(-1)?.heardSeconds, 34)
    }).pipe(
      world(recording(CALL), heardIn, ({ samples, start }) => (samples.includes(1) ? 60_000 + start : 3000)),
    ),
  )

  it.effect(
    "what was stopped half way goes on there, whichever windows are kept, under a plan of its own",
    () =>
      Effect.gen(function* () {
        const whole = yield* listen()
        const mixed = yield* listen([], effectiveOptions({ language: "en" }))
        assert.notStrictEqual(mixed.plans[0], whole.plans[0])
        for (let kept = 0; kept < 2 ** whole.saved.length; kept += 3) {
          const before = whole.saved.filter((_, at) => (kept >> at) % 2 === 1)
          const { lines, saved } = yield* listen(before)
          assert.deepStrictEqual(lines, LINES)
          assert.deepStrictEqual(
            [...before, ...saved].map(({ index }) => index).sort(),
            whole.saved.map(({ index }) => index).sort(),
          )
        }
      }).pipe(world(recording(CALL))),
  )

  for (const [what, media] of [
    ["one channel", mediaOf(windowsOf(8, [0, 20_000]))],
    ["the same sound in both", recording(CALL, [0, 0])],
  ] as const)
    it.effect(`${what}: it is heard once, nobody is labelled, and a warning says why`, () =>
      Effect.gen(function* () {
        const { lines, codes } = yield* listen()
        assert.deepStrictEqual(lines, ["null: c9 at0.", "null: c9 at20000."])
        assert.include(codes, "channels_alike")
      }).pipe(world(media)),
    )

  it.effect(
    "of several channels those that are alike are heard once, and speakers keep the number of their channel",
    () =>
      Effect.gen(function* () {
        const { lines, codes } = yield* listen()
        assert.deepStrictEqual(lines, ["Speaker 3: c3 at0.", "Speaker 1: c1 at20000."])
        assert.include(codes, "channels_alike")
      }).pipe(world(recording([[20_000], [20_000], [0]], [0, 0, 2]))),
  )

  it.effect("more than eight channels are refused before anything is heard", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(listen())
      assert.strictEqual(refused.code, "unsupported_media")
      assert.match(refused.message, /has 9 channels, and at most 8 can be taken as speakers/)
    }).pipe(world(recording(Array.from({ length: 9 }, () => [0])))),
  )

  it.effect("speech that is lost in one channel is told, though another one speaks meanwhile", () =>
    Effect.gen(function* () {
      const { finished, codes, lines } = yield* listen()
      assert.deepStrictEqual(lines, ["Speaker 1: c1 at0."])
      assert.deepStrictEqual(finished.integrity?.gaps, [{ start: 0, end: 4000 }])
      assert.include(codes, "speech_lost")
    }).pipe(
      world(recording([[0], [0]]), (window) => (window.samples.includes(2) ? nothing : heardIn(window))),
    ),
  )

  it.effect("where no channel has words, why is told", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(listen())).code, "no_speech")
    }).pipe(world(recording(CALL), () => nothing)),
  )
})
