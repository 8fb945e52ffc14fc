// @effect-diagnostics strictEffectProvide:off -- the parts that decode are made for this look alone
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Finding, troubleOf } from "@earmark/engines"
import { MediaDecoderFfmpeg } from "@earmark/media"
import { MediaDecoder, VoiceActivityEnergy, WorkFailed } from "@earmark/service"
import { Data, Effect, Layer, Stream } from "effect"
import { decoderConfig } from "../parts/decoderConfig.js"
import type { Settings } from "../settings/Settings.js"

const RATE = 8000

/** A second of a tone, as telephones write it: only ffmpeg reads this. */
const second = (): Uint8Array => {
  const bytes = new Uint8Array(24 + RATE)
  const view = new DataView(bytes.buffer)
  // ".snd", where the sound begins, how long it is, mu-law, its rate, one channel.
  for (const [at, value] of [0x2e736e64, 24, RATE, 1, RATE, 1].entries()) view.setUint32(4 * at, value)
  return bytes.map((byte, at) => (at < 24 ? byte : Math.floor(at / 20) % 2 === 0 ? 0x10 : 0x90))
}

const listening = {
  startAt: null,
  endAt: null,
  windows: { longest: 28_000, joinUpTo: 0 },
  language: null,
  maxSeconds: 60,
}

class SoundNotWritten extends Data.TaggedError("SoundNotWritten")<{ readonly message: string }> {}

const notWritten = (cause: unknown) =>
  new SoundNotWritten({ message: cause instanceof Error ? cause.message : String(cause) })

const folder = Effect.acquireRelease(
  Effect.tryPromise({ try: () => mkdtemp(join(tmpdir(), "earmark-doctor-")), catch: notWritten }),
  (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
)

const decoded = Effect.gen(function* () {
  const path = join(yield* folder, "tone")
  yield* Effect.tryPromise({ try: () => writeFile(path, second()), catch: notWritten })
  const { openFile } = yield* MediaDecoder
  const media = yield* openFile(path, listening)
  yield* Stream.runDrain(media.windows)
  return (yield* media.summary).durationSeconds
})

/** Sends a second of sound through the programs that decode: they may be there, and still not run. */
export const examineDecoding = (settings: Settings) =>
  decoded.pipe(
    Effect.scoped,
    Effect.provide(
      MediaDecoderFfmpeg.layerFiles.pipe(
        Layer.provide(Layer.merge(VoiceActivityEnergy.layer, decoderConfig(settings))),
      ),
    ),
    Effect.match({
      onFailure: (failure): Finding =>
        failure instanceof WorkFailed
          ? {
              name: "decoding",
              status: "missing",
              detail: `A second of sound could not be decoded: ${failure.operatorDetail ?? troubleOf(failure)}`,
              fix: "get ffmpeg and ffprobe that run, and check EARMARK_FFMPEG and EARMARK_FFPROBE",
            }
          : {
              name: "decoding",
              status: "missing",
              detail: `A second of sound could not be written to the temporary folder: ${failure.message}`,
              fix: "make room in the temporary folder, or name another one with TMPDIR",
            },
      onSuccess: (seconds): Finding => ({
        name: "decoding",
        status: "ok",
        detail: `a sound of ${seconds.toFixed(1)} s was decoded`,
        fix: null,
      }),
    }),
  )
