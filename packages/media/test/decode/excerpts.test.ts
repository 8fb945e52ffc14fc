import { MediaDecoder } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { because } from "../../../../test/servers/because.js"
import { decoder, everything, hear } from "./opening.js"
import { ffmpeg, inFolder, programsMissing, recording, speech } from "./recordings.js"

const windows = { longest: 28_000, joinUpTo: 25_000 }

const excerptsOf = (path: string, part: Partial<typeof everything> = {}, config = {}) =>
  Effect.gen(function* () {
    const media = yield* (yield* MediaDecoder).openFile(path, { ...everything, windows, ...part })
    return yield* media.excerpts
  }).pipe(Effect.scoped, Effect.provide(decoder(config)))

/** The three sentences again and again, for three minutes and more. */
let longFile: string | undefined
const long = (): string => {
  if (longFile !== undefined) return longFile
  const path = inFolder("long.mp3")
  longFile = path
  ffmpeg("-stream_loop", "14", "-i", speech(), "-c:a", "libmp3lame", "-ar", "44100", path)
  return path
}

describe.skipIf(programsMissing !== null)(`excerpts${because(programsMissing)}`, () => {
  it.live("are speech from near the beginning, the middle and near the end", () =>
    Effect.gen(function* () {
      const path = long()
      const found = yield* excerptsOf(path)
      const { media } = yield* hear(path, { windows })
      const seconds = media.durationSeconds ?? 0
      assert.isAbove(seconds, 180)
      const shares = found.map(({ start }) => start / 1000 / seconds)
      assert.strictEqual(found.length, 3)
      for (const [at, [least, most]] of [
        [0.05, 0.3],
        [0.4, 0.65],
        [0.7, 0.97],
      ].entries()) {
        assert.isAtLeast(shares[at] ?? 0, least ?? 0)
        assert.isAtMost(shares[at] ?? 1, most ?? 0)
      }
      for (const { start, end, samples } of found) {
        assert.isAtLeast(end - start, 2_000)
        assert.isAtMost(end - start, 12_000)
        assert.strictEqual(samples.length, (end - start) * 16)
        // Somebody speaks in it.
        assert.isTrue(samples.some((sample) => Math.abs(sample) > 3_000))
      }
    }),
  )

  it.live(
    "of what fits in one window are none: its language is asked for there; none lie outside the part that is asked for",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* excerptsOf(recording("m4a")), [])
        const [first] = yield* excerptsOf(long(), { startAt: 60_000, endAt: 90_000 })
        assert.isAtLeast(first?.start ?? 0, 60_000)
        assert.isAtMost(first?.end ?? Number.POSITIVE_INFINITY, 90_000)
      }),
  )

  it.live("need no program for a WAV file", () =>
    Effect.gen(function* () {
      const path = inFolder("long.wav")
      ffmpeg("-stream_loop", "2", "-i", recording("wav"), path)
      const found = yield* excerptsOf(path, {}, { ffmpeg: null, ffprobe: null })
      assert.strictEqual(found.length, 1)
    }),
  )

  it.live("of silence are none", () =>
    Effect.gen(function* () {
      const silent = inFolder("silent.wav")
      ffmpeg("-f", "lavfi", "-t", "40", "-i", "anullsrc=r=16000:cl=mono", silent)
      assert.deepStrictEqual(yield* excerptsOf(silent), [])
    }),
  )
})
