/** What is kept of a recording for players, made by the real program while the sound is decoded. */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { AccountId } from "@earmark/core/jobs"
import { makeMediaRef } from "@earmark/core/wire"
import { DecoderConfig, FetcherNode, MediaDecoderFfmpeg, YtDlp } from "@earmark/media"
import {
  type CopyRule,
  type JobSource,
  MediaDecoder,
  ObjectStore,
  ObjectStoreMemory,
  VoiceActivityEnergy,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { everything } from "./opening.js"
import { ffmpeg, inFolder, programsMissing, recording, speech } from "./recordings.js"

const layer = (config: Partial<DecoderConfig["Type"]> = {}) =>
  MediaDecoderFfmpeg.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        VoiceActivityEnergy.layer,
        DecoderConfig.layer(config),
        FetcherNode.layer({}),
        ObjectStoreMemory.layer,
        YtDlp.none,
      ),
    ),
  )

const KEY = makeMediaRef(
  AccountId.make("acct_01k00000000000000000000000"),
  "00000000-0000-4000-8000-000000000000",
  "audio/mpeg",
)

const source: JobSource = {
  shown: { kind: "upload", mediaRef: KEY },
  mediaUrl: null,
  link: null,
  identity: null,
}

/** A file that was uploaded, heard to its end: how often sound was decoded for it, and what was kept. */
const record = (
  path: string,
  rule: CopyRule,
  config: Partial<DecoderConfig["Type"]> = {},
  hear: "windows" | "levels" = "windows",
) =>
  Effect.gen(function* () {
    const bytes = readFileSync(path)
    const object = { key: KEY, contentType: "audio/mpeg", bytes: bytes.length }
    yield* (yield* ObjectStore).put(object, Stream.make(new Uint8Array(bytes)))
    const media = yield* (yield* MediaDecoder).open(source, { ...everything, record: rule })
    const before = yield* media.recording ?? Effect.succeed(null)
    assert.isNull(before)
    if (hear === "windows") yield* Stream.runDrain(media.windows)
    else yield* media.channels?.levels ?? Effect.die("one channel")
    const made = yield* media.recording ?? Effect.succeed(null)
    if (made === null) return yield* Effect.die("nothing was recorded")
    const copy = made.copy === null ? null : Buffer.concat([...(yield* Stream.runCollect(made.copy.read))])
    assert.strictEqual(copy?.length, made.copy?.bytes)
    return { waveform: made.waveform, copy }
  }).pipe(Effect.scoped, Effect.provide(layer(config)))

const facts = (copy: Buffer | null) => {
  const path = inFolder("copy.m4a")
  writeFileSync(path, copy ?? "")
  const entries = "stream=codec_name,channels,bit_rate:format=duration:format_tags"
  const told = execFileSync("ffprobe", ["-v", "error", "-show_entries", entries, "-of", "json", path])
  return JSON.parse(told.toString())
}

describe.skipIf(programsMissing !== null)("the recording of media", () => {
  it.effect("is a waveform and a copy that browsers seek in, whatever the container", () =>
    Effect.gen(function* () {
      for (const extension of ["mp3", "webm", "aac", "mp4"]) {
        const { waveform, copy } = yield* record(recording(extension), "always")
        const { streams, format } = facts(copy)
        assert.lengthOf(streams, 1)
        assert.deepInclude(streams[0], { codec_name: "aac", channels: 1 })
        assert.closeTo(Number(format.duration), waveform.length / 20, 0.2, extension)
        // The index stands before the sound: nothing has to be fetched from the end.
        assert.isBelow(copy?.indexOf("moov") ?? -1, copy?.indexOf("mdat") ?? -1, extension)
        assert.isAbove(copy?.indexOf("moov") ?? -1, 0)
      }
    }),
  )

  it.effect("shows in its waveform where somebody speaks", () =>
    Effect.gen(function* () {
      const { waveform } = yield* record(speech(), "never")
      // A second and a half without a sound comes first.
      assert.isBelow(Math.max(...waveform.subarray(0, 28)), 3)
      assert.isAbove(Math.max(...waveform.subarray(30, 60)), 60)
    }),
  )

  it.effect("has a copy only where browsers do not find a moment by themselves", () =>
    Effect.gen(function* () {
      const vbr = inFolder("vbr.mp3")
      ffmpeg("-i", speech(), "-c:a", "libmp3lame", "-q:a", "4", vbr)
      const bare = inFolder("bare.mp3")
      ffmpeg("-i", speech(), "-c:a", "libmp3lame", "-q:a", "4", "-write_xing", "0", bare)
      for (const path of [vbr, bare, recording("aac"), recording("flac"), recording("ts")])
        assert.isNotNull((yield* record(path, "inexact")).copy, path)
      const cbr = inFolder("cbr.mp3")
      ffmpeg("-i", speech(), "-c:a", "libmp3lame", "-b:a", "64k", "-id3v2_version", "3", cbr)
      for (const path of [cbr, recording("wav"), recording("m4a"), recording("ogg"), recording("mp4")])
        assert.isNull((yield* record(path, "inexact")).copy, path)
    }),
  )

  it.effect("is made by the look at the channels, where each is heard by itself", () =>
    Effect.gen(function* () {
      const { waveform, copy } = yield* record(recording("wav"), "always", {}, "levels")
      assert.closeTo(Number(facts(copy).format.duration), waveform.length / 20, 0.2)
    }),
  )

  it.effect("has no copy where no program can make one, and the media are heard all the same", () =>
    Effect.gen(function* () {
      const { waveform, copy } = yield* record(speech(), "always", { ffmpeg: null, ffprobe: null })
      assert.isNull(copy)
      assert.isAbove(waveform.length, 100)
    }),
  )
})
