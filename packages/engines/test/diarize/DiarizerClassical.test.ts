import { readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import type { SpeakerRange } from "@earmark/core/jobs"
import { layer } from "@earmark/engines/diarize"
import { type AudioWindow, Diarizer } from "@earmark/service"
import { canSpeak, conversation, cpuMilliseconds, diarizationErrors, spokenBy } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const WINDOW = 28_000

const windowsOf = (samples: Int16Array, from = 0): ReadonlyArray<AudioWindow> =>
  Array.from({ length: Math.ceil(samples.length / 16 / WINDOW) }, (_, index) => {
    const cut = samples.subarray(index * WINDOW * 16, (index + 1) * WINDOW * 16)
    const start = from + index * WINDOW
    return { index, start, end: start + cut.length / 16, samples: cut }
  })

const listen = Effect.fnUntraced(function* (
  windows: Iterable<AudioWindow>,
  range: SpeakerRange | null = null,
) {
  const { open } = yield* Diarizer
  const listener = yield* open(range)
  for (const window of windows) yield* listener.hear(window)
  return yield* listener.turns
}, Effect.scoped)

const scratchFolders = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`earmark-${process.pid}-speakers-`))

describe("the classical diarizer", () => {
  it.layer(layer)((it) => {
    it.effect("hears windows and says who spoke when, on the timeline of the media", () =>
      Effect.gen(function* () {
        const { samples, turns } = conversation({ speakers: 2, turns: 10, seed: 3 })
        const found = yield* listen(windowsOf(samples, 3_600_000))
        const moved = turns.map((turn) => ({
          ...turn,
          start: turn.start + 3_600_000,
          end: turn.end + 3_600_000,
        }))
        const errors = diarizationErrors(moved, found)
        assert.strictEqual(errors.speakers, 2)
        assert.isBelow(errors.rate, 0.04)
      }),
    )

    it.effect("takes the number that was asked for", () =>
      Effect.gen(function* () {
        const { samples } = conversation({ speakers: 3, turns: 12, seed: 5 })
        const found = yield* listen(windowsOf(samples), { max: 1 })
        assert.deepStrictEqual([...new Set(found.map(({ speaker }) => speaker))], ["1"])
      }),
    )

    it.effect("nothing heard has no turns", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* listen([]), [])
      }),
    )
  })

  it.live("much sound is kept on disk, other work goes on, and nothing stays behind", () =>
    Effect.gen(function* () {
      const before = scratchFolders()
      // More than one block, so that the first is read back.
      const { samples, turns } = conversation({ speakers: 2, turns: 130, seed: 6 })
      assert.isAbove(samples.length / 16, 660_000)
      let ticks = 0
      const ticking = setInterval(() => ticks++, 1)
      const found = yield* listen(windowsOf(samples)).pipe(
        Effect.ensuring(Effect.sync(() => clearInterval(ticking))),
      )
      assert.isAbove(ticks, 20)
      const errors = diarizationErrors(turns, found)
      assert.strictEqual(errors.speakers, 2)
      assert.isBelow(errors.rate, 0.04)
      assert.deepStrictEqual(scratchFolders(), before)
    }).pipe(Effect.provide(layer)),
  )

  it.skipIf(!canSpeak() && process.env.CI === undefined)(
    "voices of a synthesiser are told apart (needs Debian's package flite)",
    { timeout: 60_000 },
    () =>
      Effect.gen(function* () {
        const voices = ["slt", "rms", "awb"] as const
        const lines = [
          "The harbour was quiet before the storm arrived on Tuesday night.",
          "Nobody expected that the committee would change the rules again.",
          "Please bring the blue folder, the small camera and a warm coat.",
          "Our train leaves at seven, so we should order breakfast now.",
        ]
        const parts = lines.flatMap((line) =>
          voices.map((voice) => ({ voice, samples: spokenBy(voice, line) })),
        )
        const length = parts.reduce((sum, part) => sum + part.samples.length, 0)
        const samples = new Int16Array(length)
        const reference: Array<{ start: number; end: number; speaker: string }> = []
        let at = 0
        for (const part of parts) {
          samples.set(part.samples, at)
          reference.push({
            start: at / 16 + 300,
            end: (at + part.samples.length) / 16 - 400,
            speaker: part.voice,
          })
          at += part.samples.length
        }
        // The least of three: other processes on the machine make the same work look longer.
        let spent = Number.POSITIVE_INFINITY
        for (let round = 0; round < 3; round++) {
          const before = cpuMilliseconds()
          const found = yield* listen(windowsOf(samples))
          spent = Math.min(spent, cpuMilliseconds() - before)
          const errors = diarizationErrors(reference, found)
          assert.strictEqual(errors.speakers, 3)
          assert.isBelow(errors.rate, 0.01)
        }
        assert.isBelow(spent, length / 16 / 50)
      }).pipe(Effect.provide(layer), Effect.runPromise),
  )
})
