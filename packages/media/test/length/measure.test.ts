import { execFileSync } from "node:child_process"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import type { DecoderConfig } from "@earmark/media"
import { MediaDecoder } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { decoder } from "../decode/opening.js"
import { ffmpeg, inFolder, programsMissing } from "../decode/recordings.js"

const SECONDS = 93.7

const measured = (path: string, config: Partial<DecoderConfig["Type"]> = {}) =>
  Effect.gen(function* () {
    const { measure } = yield* MediaDecoder
    assert(measure !== undefined)
    return yield* measure(path)
  }).pipe(Effect.provide(decoder(config)))

const probed = (path: string): number =>
  Number(
    execFileSync("ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path], {
      encoding: "utf8",
    }),
  )

const noise = (name: string, ...args: ReadonlyArray<string>): string => {
  const path = inFolder(name)
  ffmpeg("-f", "lavfi", "-i", `anoisesrc=d=${SECONDS}:r=44100:a=0.4`, ...args, path)
  return path
}

const MPEG_2 = ["-ar", "22050", "-ac", "1"]

const files: Readonly<Record<string, ReadonlyArray<string>>> = {
  "varying.mp3": ["-q:a", "3"],
  "varying-mono.mp3": ["-q:a", "5", "-ac", "1"],
  "varying-22.mp3": ["-q:a", "5", ...MPEG_2],
  "steady.mp3": ["-b:a", "128k", "-write_xing", "0"],
  "steady-22.mp3": ["-b:a", "56k", "-write_xing", "0", ...MPEG_2],
  "steady-signed.mp3": ["-b:a", "96k", "-write_xing", "0", "-write_id3v1", "1", "-metadata", "title=Noise"],
  "sound.flac": [],
  "sound-96.flac": ["-ar", "96000"],
  "opus.ogg": ["-c:a", "libopus", "-b:a", "48k"],
  "vorbis.ogg": ["-c:a", "libvorbis"],
  "sound.wav": [],
  "sound.rf64.wav": ["-rf64", "always", "-c:a", "pcm_s24le"],
  "sound.m4a": ["-b:a", "96k"],
  "sound.mov": ["-c:a", "pcm_s16le"],
  "sound.webm": ["-c:a", "libopus", "-b:a", "48k"],
  "sound.mka": ["-c:a", "flac"],
}

describe.skipIf(programsMissing !== null)("how long a file says it is, without a program", () => {
  for (const [name, args] of Object.entries(files)) {
    it.effect(`${name}: as ffprobe has it`, () =>
      Effect.gen(function* () {
        const path = noise(name, ...args)
        // A program that is not there: whoever started it would fail.
        const found = yield* measured(path, { ffmpeg: "/nowhere/ffmpeg", ffprobe: "/nowhere/ffprobe" })
        assert.strictEqual(found?.bytes, readFileSync(path).length)
        assert.closeTo(found?.durationSeconds ?? 0, probed(path), 0.06)
      }),
    )
  }

  const unsaid: Readonly<Record<string, () => string>> = {
    "raw AAC": () => noise("raw.aac"),
    "MP3 with a varying bitrate and no frame that tells its length": () =>
      noise("unsaid.mp3", "-q:a", "3", "-write_xing", "0"),
    "two MP3 files joined": () => {
      const one = readFileSync(noise("one.mp3", "-q:a", "3"))
      writeFileSync(inFolder("joined.mp3"), Buffer.concat([one, one]))
      return inFolder("joined.mp3")
    },
    "two Ogg files joined": () => {
      const [one, other] = [noise("one.ogg"), noise("other.ogg")].map((path) => readFileSync(path))
      writeFileSync(inFolder("joined.ogg"), Buffer.concat([one ?? Buffer.of(), other ?? Buffer.of()]))
      return inFolder("joined.ogg")
    },
    "half an MP3 file": () => {
      const one = readFileSync(noise("whole.mp3", "-q:a", "3"))
      writeFileSync(inFolder("half.mp3"), one.subarray(0, one.length / 2))
      return inFolder("half.mp3")
    },
    "WebM that was recorded live": () => noise("live.webm", "-c:a", "libopus", "-live", "1"),
    "MP4 in fragments": () => noise("parts.m4a", "-movflags", "+frag_keyframe+empty_moov"),
    "a video without sound": () => {
      ffmpeg("-f", "lavfi", "-i", "testsrc=d=2:s=64x48:r=5", "-c:v", "mpeg4", inFolder("mute.mp4"))
      return inFolder("mute.mp4")
    },
    "a Matroska video without sound": () => {
      ffmpeg("-f", "lavfi", "-i", "testsrc=d=2:s=64x48:r=5", "-c:v", "mpeg4", inFolder("mute.mkv"))
      return inFolder("mute.mkv")
    },
  }
  for (const [name, make] of Object.entries(unsaid)) {
    it.effect(`${name}: not known`, () =>
      Effect.gen(function* () {
        assert.isNull(yield* measured(make()))
      }),
    )
  }

  it.effect("every file cut anywhere gives a length or none, and never breaks", () =>
    Effect.gen(function* () {
      for (const name of Object.keys(files)) {
        const bytes = readFileSync(inFolder(name))
        for (const length of [12, 30, 47, 80, 200, 1000, 70_000, bytes.length - 1]) {
          writeFileSync(inFolder("cut"), bytes.subarray(0, length))
          const found = yield* measured(inFolder("cut"))
          if (found !== null) assert.isAtMost(found.durationSeconds, SECONDS + 0.2, `${name} ${length}`)
        }
      }
    }),
  )

  it.effect("refuses what opening refuses", () =>
    Effect.gen(function* () {
      writeFileSync(inFolder("page.mp3"), "<!doctype html><title>Hello</title>")
      const page = yield* Effect.flip(measured(inFolder("page.mp3")))
      assert.strictEqual(page.code, "unsupported_media")
      const gone = yield* Effect.flip(measured(inFolder("gone.mp3")))
      assert.strictEqual(gone.code, "source_not_found")
      copyFileSync(inFolder("sound.wav"), inFolder("long.wav"))
      assert.isNull(yield* measured(inFolder("long.wav"), { maxSeconds: 60 }))
    }),
  )
})
