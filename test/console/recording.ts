/** Recordings whose sound tells its own moment: a tone that rises evenly, so that its pitch is a clock. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DecoderConfig, FetcherNode, MediaDecoderFfmpeg, YtDlp } from "@earmark/media"
import { MediaDecoder, type ObjectStore, Scripted } from "@earmark/service"
import { Effect, Layer } from "effect"

const RATE = 16_000
/** Hertz at the beginning, and how many more there are after each second. */
export const PITCH = { from: 400, rise: 40 } as const

/** The one that a program tells its moment from; louder and softer each second, so that its waveform is not flat. */
export const risingTone = (seconds: number): Buffer => {
  const count = seconds * RATE
  const file = Buffer.alloc(44 + count * 2)
  file.write("RIFF", 0)
  file.writeUInt32LE(36 + count * 2, 4)
  file.write("WAVEfmt ", 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(RATE, 24)
  file.writeUInt32LE(RATE * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write("data", 36)
  file.writeUInt32LE(count * 2, 40)
  for (let index = 0; index < count; index++) {
    const at = index / RATE
    const loudness = 0.3 + 0.25 * Math.sin(Math.PI * at)
    const turns = PITCH.from * at + (PITCH.rise * at * at) / 2
    file.writeInt16LE(Math.round(32_767 * loudness * Math.sin(2 * Math.PI * turns)), 44 + index * 2)
  }
  return file
}

/** Why no other container than WAV can be made here; null when one can. */
export const ffmpegMissing: string | null =
  spawnSync("ffmpeg", ["-version"]).status === 0 ? null : "ffmpeg is missing: install the package ffmpeg"

/** The same sound as podcasts and phones have it. */
export const asM4a = (wav: Buffer): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-tone-"))
  try {
    const [from, to] = [join(folder, "tone.wav"), join(folder, "tone.m4a")]
    writeFileSync(from, wav)
    const made = spawnSync("ffmpeg", ["-v", "error", "-i", from, "-c:a", "aac", "-b:a", "64k", to])
    if (made.status !== 0) throw new Error(`ffmpeg failed: ${made.stderr}`)
    return readFileSync(to)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const real = MediaDecoderFfmpeg.layer.pipe(
  Layer.provide(
    Layer.mergeAll(DecoderConfig.layerFound(), Scripted.voiceActivity, FetcherNode.layer({}), YtDlp.none),
  ),
)

/** Uploads are decoded as they are in production; links stay scripted. */
export const uploadsDecoded: Layer.Layer<MediaDecoder, never, MediaDecoder | ObjectStore> = Layer.effect(
  MediaDecoder,
  Effect.gen(function* () {
    const scripted = yield* MediaDecoder
    const decoder = yield* Effect.provide(MediaDecoder, Layer.fresh(real))
    return MediaDecoder.of({
      ...scripted,
      open: (source, listening) =>
        (source.shown.kind === "upload" ? decoder : scripted).open(source, listening),
    })
  }),
)
