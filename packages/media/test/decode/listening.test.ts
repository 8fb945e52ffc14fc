import { execFileSync } from "node:child_process"
import { readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { MediaDecoder } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Deferred, Effect, Fiber, Stream } from "effect"
import { because } from "../../../../test/servers/because.js"
import { DecoderConfig } from "../../src/decode/DecoderConfig.js"
import { decoder, edges, everything, hear, refusal } from "./opening.js"
import { ffmpeg, inFolder, programsMissing, recording, speech } from "./recordings.js"

const made = (name: string, ...args: ReadonlyArray<string>): string => {
  const path = inFolder(name)
  ffmpeg(...args, path)
  return path
}

/** What clients see where the decoder cannot be used. */
const UNAVAILABLE = {
  code: "internal_error",
  isTransient: false,
  detail: "The server cannot decode media at the moment; retry the job later.",
}

/** The decoders that this process runs, by their numbers. */
const decoders = (): ReadonlyArray<number> => {
  const all = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n")
  return all.flatMap((line) => {
    const [, id, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return Number(parent) === process.pid && /^ffmpeg .*s16le/.test(command) ? [Number(id)] : []
  })
}

const scratchFolders = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`earmark-${process.pid}-`))

describe.skipIf(programsMissing !== null)(`a part of the media${because(programsMissing)}`, () => {
  it.live("is exact to the sample, and keeps the times of the whole", () =>
    Effect.gen(function* () {
      const file = recording("flac")
      const whole = yield* hear(file)
      const second = whole.windows[1]
      if (second === undefined) return assert.fail("no second sentence")
      const startAt = second.start - 400
      const part = yield* hear(file, { startAt, endAt: second.end + 400 })
      assert.strictEqual(part.windows.length, 1)
      const [heard] = part.windows
      if (heard === undefined) return assert.fail("nothing heard")
      assert.approximately(heard.start, second.start, 250)
      assert.approximately(part.summary.durationSeconds, (second.end + 400 - startAt) / 1000, 0.001)
      // The very same samples at the very same times.
      const from = Math.max(heard.start, second.start)
      const to = Math.min(heard.end, second.end)
      assert.deepStrictEqual(
        heard.samples.slice((from - heard.start) * 16, (to - heard.start) * 16),
        second.samples.slice((from - second.start) * 16, (to - second.start) * 16),
      )
    }),
  )

  it.live("behind the end has nothing in it", () =>
    Effect.gen(function* () {
      const { windows, summary, warnings } = yield* hear(speech(), { startAt: 3_600_000 })
      assert.deepStrictEqual([windows.length, summary.durationSeconds, warnings], [0, 0, []])
    }),
  )
})

describe.skipIf(programsMissing !== null)(`several streams${because(programsMissing)}`, () => {
  const dubbed = () =>
    made(
      "dubbed.mkv",
      ...["-i", speech(), "-f", "lavfi", "-t", "12", "-i", "anullsrc=r=16000:cl=mono"],
      ...["-map", "1:a", "-map", "0:a", "-c:a", "flac"],
      ...[
        "-metadata:s:a:0",
        "language=ger",
        "-metadata:s:a:1",
        "language=eng",
        "-disposition:a:0",
        "default",
      ],
    )

  it.live("of the languages in the media the one asked for is heard, else the default one", () =>
    Effect.gen(function* () {
      const file = dubbed()
      const asked = yield* hear(file, { language: "en-GB" })
      assert.deepStrictEqual([asked.media.language, asked.windows.length], ["en", 3])
      const other = yield* hear(file)
      assert.deepStrictEqual([other.media.language, other.windows.length], ["de", 0])
      assert.notStrictEqual(asked.media.cut, other.media.cut)
      assert.strictEqual(asked.media.fingerprint, other.media.fingerprint)
    }),
  )

  it.live("subtitles that are text can be read without decoding any sound", () =>
    Effect.gen(function* () {
      writeFileSync(
        inFolder("subtitles.srt"),
        "1\n00:00:01,500 --> 00:00:04,000\nThe train was late.\n\n2\n00:00:05,000 --> 00:00:09,000\nNobody had seen it.\n",
      )
      for (const [extension, codec] of [
        ["mkv", "subrip"],
        ["mp4", "mov_text"],
      ] as const) {
        const file = made(
          `titled.${extension}`,
          ...["-i", speech(), "-i", inFolder("subtitles.srt"), "-c:a", "aac", "-c:s", codec],
          ...["-metadata:s:s:0", "language=eng"],
        )
        yield* Effect.gen(function* () {
          const media = yield* (yield* MediaDecoder).openFile(file, everything)
          const [captions] = media.captions
          if (captions === undefined) return assert.fail("no captions")
          assert.strictEqual(captions.language, "en")
          const [first, second] = (yield* captions.read)?.cues ?? []
          assert.deepStrictEqual(first?.lines, ["The train was late."])
          // Encoders put a little silence before the sound.
          assert.approximately(first?.start ?? 0, 1500, 100)
          assert.approximately(second?.start ?? 0, 5000, 100)
          assert.strictEqual(decoders().length, 0)
        }).pipe(Effect.scoped, Effect.provide(decoder()))
      }
    }),
  )
})

describe.skipIf(programsMissing !== null)(`nothing is left behind${because(programsMissing)}`, () => {
  const endless = () => made("long.wav", "-stream_loop", "-1", "-i", speech(), "-t", "1800", "-c", "copy")

  it.live("whoever stops listening stops the decoder at once; a slow listener stops it too", () =>
    Effect.gen(function* () {
      const file = endless()
      const before = scratchFolders().length
      const begun = yield* Deferred.make<void>()
      const listening = yield* Effect.gen(function* () {
        const media = yield* (yield* MediaDecoder).openFile(file, everything)
        yield* media.windows.pipe(
          Stream.runForEach(() => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)),
        )
      }).pipe(Effect.scoped, Effect.provide(decoder()), Effect.fork)
      yield* Deferred.await(begun)
      assert.strictEqual(decoders().length, 1)
      yield* Effect.sleep("300 millis")
      assert.strictEqual(decoders().length, 1)
      const started = performance.now()
      yield* Fiber.interrupt(listening)
      assert.isBelow(performance.now() - started, 2000)
      assert.strictEqual(decoders().length, 0)
      assert.isAtMost(scratchFolders().length, before)
    }),
  )

  it.live("a decoder that is killed from outside is no fault of the media", () =>
    Effect.gen(function* () {
      const media = yield* (yield* MediaDecoder).openFile(endless(), everything)
      const failed = yield* media.windows.pipe(
        Stream.runForEach(() =>
          Effect.sync(() => {
            for (const id of decoders()) process.kill(id, "SIGKILL")
          }),
        ),
        Effect.flip,
      )
      assert.deepInclude(failed, { code: "internal_error", isTransient: true })
    }).pipe(Effect.scoped, Effect.provide(decoder())),
  )

  it.live("a program that says nothing is given up and killed", () =>
    Effect.gen(function* () {
      const stuck = inFolder("ffmpeg-that-hangs")
      writeFileSync(stuck, "#!/bin/sh\nexec sleep 1000.5\n", { mode: 0o755 })
      const failed = yield* refusal(speech(), {}, { ffmpeg: stuck, stallSeconds: 1 })
      assert.deepInclude(failed, { code: "unsupported_media", isTransient: true })
      const probing = yield* refusal(speech(), {}, { ffprobe: stuck, probeSeconds: 1 })
      assert.deepInclude(probing, { code: "unsupported_media", isTransient: false })
      const left = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).match(/sleep 1000\.5/g)
      assert.isNull(left)
    }),
  )

  it.live("a program that is slow, and says something now and then, is waited for", () =>
    Effect.gen(function* () {
      const slow = inFolder("ffmpeg-that-is-slow")
      const says = "for piece in 1 2 3 4 5 6; do head -c 64000 /dev/zero; sleep 0.3; done"
      writeFileSync(slow, `#!/bin/sh\n${says}\n`, { mode: 0o755 })
      const { summary } = yield* hear(speech(), {}, { ffmpeg: slow, stallSeconds: 1 })
      assert.approximately(summary.durationSeconds, 12, 6)
    }),
  )
})

describe.skipIf(programsMissing !== null)(`without ffmpeg${because(programsMissing)}`, () => {
  const none = { ffmpeg: null, ffprobe: null }

  it.live("a WAV file of any kind is heard all the same, and gives the same speech", () =>
    Effect.gen(function* () {
      for (const path of [speech(), recording("wav")]) {
        const [own, other] = [yield* hear(path, {}, none), yield* hear(path)]
        assert.approximately(own.media.durationSeconds ?? 0, other.media.durationSeconds ?? 1, 0.01)
        assert.strictEqual(own.windows.length, 3)
        for (const [index, [start, end]] of edges(own.windows).entries()) {
          assert.approximately(start, other.windows[index]?.start ?? 0, 50)
          assert.approximately(end, other.windows[index]?.end ?? 0, 50)
        }
        assert.notStrictEqual(own.media.cut, other.media.cut)
      }
    }),
  )

  it.live("windows with longer pauses are another cut, so that checkpoints of the two do not mix", () =>
    Effect.gen(function* () {
      const windows = { longest: 28_000, joinUpTo: 25_000 }
      const short = yield* hear(speech(), { windows }, none)
      const long = yield* hear(speech(), { windows: { ...windows, longestPause: 2000 } }, none)
      assert.strictEqual(short.media.fingerprint, long.media.fingerprint)
      assert.notStrictEqual(short.media.cut, long.media.cut)
    }),
  )

  it.live("anything else asks for it", () =>
    Effect.gen(function* () {
      const { code, detail, reason, isTransient } = yield* refusal(recording("mp3"), {}, none)
      assert.deepStrictEqual({ code, isTransient, detail }, UNAVAILABLE)
      assert.include(reason, "install ffmpeg")
    }),
  )

  it.live("a WAV file with sound that only ffmpeg reads asks for it, too", () =>
    Effect.gen(function* () {
      const packed = made("packed.wav", "-i", speech(), "-c:a", "adpcm_ima_wav")
      const { code, detail, reason, isTransient } = yield* refusal(packed, {}, none)
      assert.deepStrictEqual({ code, isTransient, detail }, UNAVAILABLE)
      assert.include(reason, "install ffmpeg")
    }),
  )

  it.live("the program that a setting names in vain is said to those who run it, not to clients", () =>
    Effect.gen(function* () {
      const config = yield* DecoderConfig.pipe(
        Effect.provide(DecoderConfig.layerFound({ ffmpeg: "/nowhere/ffmpeg" })),
      )
      const { code, detail, reason, isTransient } = yield* refusal(recording("mp3"), {}, config)
      assert.deepStrictEqual({ code, isTransient, detail }, UNAVAILABLE)
      assert.strictEqual(
        reason,
        'Only WAV files can be read: the setting of ffmpeg is "/nowhere/ffmpeg", which is not there or cannot be run. Correct the setting, or leave it out.',
      )
    }),
  )
})

describe.skipIf(programsMissing !== null)(`with programs that do not run${because(programsMissing)}`, () => {
  const program = (name: string, text: string) => {
    const path = inFolder(name)
    writeFileSync(path, text, { mode: 0o755 })
    return path
  }

  it.live("the file is not blamed, and clients see no path", () =>
    Effect.gen(function* () {
      const unstarted = program("of-another-machine", "\u007fELF")
      const unlinked = program("without-library", "#!/bin/sh\necho 'libx.so: cannot open' >&2\nexit 127\n")
      const mute = program("mute", "#!/bin/sh\nexit 1\n")
      const idle = program("idle", "#!/bin/sh\n")
      for (const config of [
        { ffmpeg: unstarted },
        { ffprobe: unstarted },
        { ffmpeg: unlinked },
        { ffprobe: unlinked },
        { ffmpeg: mute },
        { ffprobe: mute },
        { ffprobe: idle },
      ]) {
        const { code, detail, reason } = yield* refusal(recording("mp3"), {}, config)
        const { code: expected, detail: sentence } = UNAVAILABLE
        assert.deepStrictEqual({ code, detail }, { code: expected, detail: sentence })
        assert.match(reason, /of-another-machine|libx\.so|without a word/)
      }
    }),
  )
})

describe.skipIf(programsMissing !== null)(`the same media${because(programsMissing)}`, () => {
  it.live("give the same windows again, whoever reads how slowly", () =>
    Effect.gen(function* () {
      const file = recording("mp3")
      const first = yield* hear(file, { windows: { longest: 9000, joinUpTo: 8000 } })
      const slow = yield* Effect.gen(function* () {
        const media = yield* (yield* MediaDecoder).openFile(file, {
          ...everything,
          windows: { longest: 9000, joinUpTo: 8000 },
        })
        return yield* media.windows.pipe(
          Stream.tap(() => Effect.sleep("20 millis")),
          Stream.runCollect,
        )
      }).pipe(Effect.scoped, Effect.provide(decoder()))
      assert.deepStrictEqual(Chunk.toReadonlyArray(slow), first.windows)
    }),
  )
})
