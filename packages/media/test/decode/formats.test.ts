import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { because } from "../../../../test/servers/because.js"
import { edges, hear } from "./opening.js"
import { containers, programsMissing, recording, speech } from "./recordings.js"

/** The picture may go on when the sound is over. */
const withPicture = new Set(["mp4", "webm", "mkv", "avi"])

/** Of the kind of a telephone. */
const narrow = new Set(["amr"])

const heardPlain = Effect.runSync(Effect.cached(Effect.suspend(() => hear(speech()))))

describe.skipIf(programsMissing !== null)(
  `every container gives the same speech${because(programsMissing)}`,
  () => {
    it.effect("a plain WAV file: three sentences, each a window, all samples in place", () =>
      Effect.gen(function* () {
        const { media, windows, summary, warnings } = yield* heardPlain
        assert.strictEqual(windows.length, 3)
        assert.approximately(summary.durationSeconds, media.durationSeconds ?? 0, 0.01)
        assert.deepStrictEqual(warnings, [])
        for (const { start, end, samples } of windows) assert.strictEqual(samples.length, (end - start) * 16)
        assert.approximately(windows[0]?.start ?? 0, 1250, 300)
      }),
    )

    for (const extension of Object.keys(containers)) {
      it.effect(extension, () =>
        Effect.gen(function* () {
          const plain = yield* heardPlain
          const { media, windows, summary, warnings } = yield* hear(recording(extension))
          assert.deepStrictEqual(warnings, narrow.has(extension) ? ["narrowband"] : [])
          assert.strictEqual(windows.length, 3)
          assert.approximately(summary.durationSeconds, plain.summary.durationSeconds, 0.5)
          if (extension === "aac") assert.isNull(media.durationSeconds)
          else if (!withPicture.has(extension)) {
            assert.approximately(media.durationSeconds ?? 0, plain.summary.durationSeconds, 0.6)
          }
          for (const [index, [start, end]] of edges(windows).entries()) {
            assert.approximately(start, plain.windows[index]?.start ?? 0, 250)
            assert.approximately(end, plain.windows[index]?.end ?? 0, 250)
          }
        }),
      )
    }
  },
)
