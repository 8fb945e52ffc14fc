import type { AudioWindow, Span } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { keeping, mediaOf, nothing, options, transcriberWith, windowOf, word } from "./hearing.js"

const STEP = 500

/** A word each half second, named by its moment; those that are cut in two at the ends of a window are heard as others. */
const byMoment = ({ start, end }: AudioWindow) => {
  const words = []
  for (let at = Math.ceil(start / STEP) * STEP; at < end; at += STEP) words.push(word(`w${at}`, at, at + 400))
  const isInner = (at: number) => at > 0 && at < words.length - 1
  return { ...nothing, words: words.map((one, at) => (isInner(at) ? one : { ...one, text: "half" })) }
}

const windows = [windowOf(0, 0, 12_000), windowOf(1, 9000, 22_000), windowOf(2, 19_000, 30_000)]
const last = (windows.at(-1)?.end ?? 0) - STEP

describe("windows that overlap", () => {
  it.scoped("hear every word once, and a hearing that was broken off ends with the same text", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* transcriberWith((window) => Effect.succeed(byMoment(window)), {
        concurrency: 2,
      })
      const textAfter = (kept: ReadonlyArray<Span>) =>
        Effect.gen(function* () {
          const { checkpoints, saved } = keeping(kept)
          const { words } = yield* transcribe(mediaOf(windows), options, checkpoints)
          return { text: words.map(({ text }) => text), saved }
        })
      const whole = yield* textAfter([])
      const said = Array.from({ length: last / STEP - 1 }, (_, at) => `w${(at + 1) * STEP}`)
      assert.deepStrictEqual(whole.text, ["half", ...said, "half"])
      for (const kept of [[0], [1], [2, 0], [0, 1, 2]]) {
        const resumed = yield* textAfter(whole.saved.filter(({ index }) => kept.includes(index)))
        assert.deepStrictEqual(resumed.text, whole.text)
        assert.strictEqual(resumed.saved.length, windows.length - kept.length)
      }
    }),
  )

  const heardParts = Effect.fnUntraced(function* (heard: ReadonlyArray<AudioWindow>) {
    const listened: Array<string> = []
    const listener = {
      hear: ({ start, end, samples }: AudioWindow) =>
        Effect.sync(() => void listened.push(`${start}-${end} ${samples.length / 16}`)),
      turns: Effect.succeed([]),
    }
    const { transcribe } = yield* transcriberWith(
      (window) => Effect.succeed(byMoment(window)),
      {},
      {},
      () => Effect.succeed(listener),
    )
    const { checkpoints } = keeping()
    yield* transcribe(mediaOf(heard), { ...options, diarize: true }, checkpoints)
    return listened
  })

  it.scoped("are listened to once by whoever tells speakers apart", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* heardParts(windows), [
        "0-12000 12000",
        "12000-22000 10000",
        "22000-30000 8000",
      ])
    }),
  )

  it.scoped("are listened to for speakers without the pauses over a second in them", () =>
    Effect.gen(function* () {
      const speech = [
        { start: 500, end: 3000 },
        { start: 4500, end: 6000 },
        { start: 6900, end: 9000 },
      ]
      assert.deepStrictEqual(yield* heardParts([{ ...windowOf(0, 0, 10_000), speech }]), [
        "0-3250 3250",
        "4250-10000 5750",
      ])
    }),
  )
})
