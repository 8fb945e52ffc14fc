// A file on disk, cut into stretches of speech. The file is made here, and a WAV file needs no program to be read.
import assert from "node:assert/strict"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SAMPLE_RATE, writeWav } from "@earmark/core/audio"
import { DecoderConfig, MediaDecoderFfmpeg } from "@earmark/media"
import { MediaDecoder, VoiceActivityEnergy } from "@earmark/service"
import { Effect, Layer, Stream } from "effect"

// Two sounds of two seconds, a second of silence before each, and behind the last.
const sound = Int16Array.from({ length: 7 * SAMPLE_RATE }, (_, at) =>
  Math.floor(at / SAMPLE_RATE) % 3 === 0 ? 0 : 8000 * Math.sin(at / 10),
)
const folder = await mkdtemp(join(tmpdir(), "earmark-example-"))
const path = join(folder, "talk.wav")
await writeFile(path, writeWav(sound))

// #region layers
const decoder = MediaDecoderFfmpeg.layerFiles.pipe(
  Layer.provide(Layer.merge(VoiceActivityEnergy.layer, DecoderConfig.layerFound())),
)
// #endregion

const starts: Array<number> = []
// #region hear
const program = Effect.gen(function* () {
  const { openFile } = yield* MediaDecoder
  const media = yield* openFile(path, {
    startAt: null,
    endAt: null,
    windows: { longest: 28_000, joinUpTo: 0 },
    language: null,
    maxSeconds: 3600,
  })
  yield* Stream.runForEach(media.windows, ({ start, end, samples }) =>
    Effect.sync(() => {
      console.log(`${start} to ${end} ms: ${samples.length} samples`)
      starts.push(start)
    }),
  )
  const { durationSeconds } = yield* media.summary
  console.log(`${durationSeconds} seconds`)
})

await program.pipe(Effect.scoped, Effect.provide(decoder), Effect.runPromise)
// #endregion
await rm(folder, { recursive: true })
assert.deepEqual(starts, [750, 3750])
