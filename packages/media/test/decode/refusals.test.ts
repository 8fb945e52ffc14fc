import { randomBytes } from "node:crypto"
import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { writeWav } from "@earmark/core/audio"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { because } from "../../../../test/servers/because.js"
import { hear, refusal } from "./opening.js"
import { ffmpeg, inFolder, programsMissing, recording, speech } from "./recordings.js"

const file = (name: string, content: string | Uint8Array): string => {
  const path = inFolder(name)
  writeFileSync(path, content)
  return path
}

/** The first part of a file, under its own name. */
const cut = (path: string, share: number): string => {
  const shorter = path.replace(/\.(\w+)$/, "-cut.$1")
  copyFileSync(path, shorter)
  truncateSync(shorter, Math.floor(readFileSync(path).length * share))
  return shorter
}

const made = (name: string, ...args: ReadonlyArray<string>): string => {
  const path = inFolder(name)
  ffmpeg(...args, path)
  return path
}

const fastStart = () => made("fast.m4a", "-i", speech(), "-c:a", "aac", "-movflags", "+faststart")

interface Row {
  readonly path: () => string
  readonly code: string
  readonly says: RegExp
}

const hls = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nspeech.wav\n#EXT-X-ENDLIST\n"
const sdp = "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n"
const dash =
  '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>speech.wav</BaseURL></Representation></AdaptationSet></Period></MPD>'
const picture = () => made("picture.png", "-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1")
const key = "76a6c65c5ea762046bd749a2e632ccbb"

/** Random bytes that a decoder would take for MP3 by the name of the file. */
const noise = () => file("noise.mp3", Buffer.concat([Buffer.from([0x01]), randomBytes(200_000)]))

const refused: Readonly<Record<string, Row>> = {
  "an empty file": { path: () => file("empty.mp3", ""), code: "empty_media", says: /empty/ },
  "a web page": {
    path: () => file("page.mp3", "<!doctype html><html><body>not found</body></html>"),
    code: "unsupported_media",
    says: /web page/,
  },
  "plain text": { path: () => file("text.mp3", "hello"), code: "unsupported_media", says: /text/ },
  "a playlist": { path: () => file("hls.mp3", hls), code: "unsupported_media", says: /playlist/ },
  "a DASH manifest": { path: () => file("dash.mp4", dash), code: "unsupported_media", says: /playlist/ },
  "a list of files": {
    path: () => file("concat.mp3", "ffconcat version 1.0\nfile speech.wav\n"),
    code: "unsupported_media",
    says: /text/,
  },
  "a session description": { path: () => file("sdp.mp3", sdp), code: "unsupported_media", says: /text/ },
  "a picture": { path: picture, code: "unsupported_media", says: /picture/ },
  "an archive": {
    path: () => file("archive.mp3", Buffer.from("PK\x03\x04zipzipzip", "latin1")),
    code: "unsupported_media",
    says: /archive/,
  },
  "random bytes": { path: noise, code: "unsupported_media", says: /not audio or video/ },
  "a video without sound": {
    path: () => made("mute.mp4", "-f", "lavfi", "-i", "testsrc=d=2:s=64x48", "-c:v", "mpeg4"),
    code: "empty_media",
    says: /no audio track/,
  },
  "an MP4 cut before its index": {
    path: () => cut(recording("m4a"), 0.5),
    code: "unsupported_media",
    says: /incomplete/,
  },
  "an encrypted MP4": {
    path: () =>
      made(
        "locked.mp4",
        ...["-i", speech(), "-c:a", "aac", "-encryption_scheme", "cenc-aes-ctr"],
        ...["-encryption_key", key, "-encryption_kid", key],
      ),
    code: "unsupported_media",
    says: /encrypted/,
  },
  "a WAV file without a sample": {
    path: () => file("nothing.wav", writeWav(new Int16Array(0))),
    code: "empty_media",
    says: /empty|no samples/,
  },
  "a folder": {
    path: () => {
      mkdirSync(inFolder("folder.mp3"), { recursive: true })
      return inFolder("folder.mp3")
    },
    code: "unsupported_media",
    says: /folder/,
  },
  "a file that is not there": {
    path: () => inFolder("nowhere.mp3"),
    code: "source_not_found",
    says: /not there/,
  },
}

describe.skipIf(programsMissing !== null)(`what cannot be heard says why${because(programsMissing)}`, () => {
  for (const [name, { path, code, says }] of Object.entries(refused)) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const refusedWith = yield* refusal(path())
        assert.strictEqual(refusedWith.code, code)
        assert.match(refusedWith.detail, says)
        assert.isFalse(refusedWith.isTransient)
        assert.notInclude(refusedWith.detail, inFolder(""))
      }),
    )
  }

  it.effect("a file that is too large, too long by its own word, or too long in the end", () =>
    Effect.gen(function* () {
      const plain = speech()
      assert.strictEqual((yield* refusal(plain, {}, { maxBytes: 1000 })).code, "media_too_large")
      const tooLong = yield* refusal(plain, { maxSeconds: 5 })
      assert.strictEqual(tooLong.code, "media_too_long")
      assert.match(tooLong.detail, /longer than the 5 seconds that are allowed; take a part/)
      assert.strictEqual((yield* refusal(plain, {}, { maxSeconds: 5 })).code, "media_too_long")
      const endless = yield* refusal(recording("aac"), { maxSeconds: 5 })
      assert.deepStrictEqual([endless.code, endless.detail], [tooLong.code, tooLong.detail])
      const tail = { startAt: 1000, endAt: 6000, maxSeconds: 5 }
      assert.approximately((yield* hear(plain, tail)).summary.durationSeconds, 5, 0.01)
      assert.strictEqual((yield* refusal(plain, { startAt: 1000, maxSeconds: 2 })).code, "media_too_long")
      const part = yield* hear(plain, { endAt: 5000, maxSeconds: 5 })
      assert.strictEqual(part.summary.durationSeconds, 5)
    }),
  )
})

describe.skipIf(programsMissing !== null)(
  `what is damaged is heard as far as it goes${because(programsMissing)}`,
  () => {
    const damaged: Readonly<Record<string, () => string>> = {
      "an MP3 cut short": () => cut(recording("mp3"), 0.6),
      "an MP4 with its index first, cut short": () => cut(fastStart(), 0.6),
      "a WAV file cut short": () => cut(recording("wav"), 0.6),
      "a FLAC file cut short": () => cut(recording("flac"), 0.6),
    }
    for (const [name, path] of Object.entries(damaged)) {
      it.effect(name, () =>
        Effect.gen(function* () {
          const { windows, warnings } = yield* hear(path())
          assert.deepStrictEqual(warnings, ["media_truncated"])
          assert.isAtLeast(windows.length, 1)
        }),
      )
    }

    /** A share of a file from its middle on is written over with zeros: five thousandths. */
    const holed = (path: string, share = 1 / 200): string => {
      const bytes = readFileSync(path)
      const from = Math.floor(bytes.length / 2)
      bytes.fill(0, from, from + Math.ceil(bytes.length * share))
      return file(path.replace(/^.*\/(\w+)\.(\w+)$/, `$1-holed-${share}.$2`), bytes)
    }

    for (const format of ["mp3", "m4a", "flac", "opus", "ogg", "webm"]) {
      it.effect(`a hole in the middle of ${format} is told with its moment and its length`, () =>
        Effect.gen(function* () {
          const whole = made(`minutes.${format}`, "-stream_loop", "9", "-i", speech())
          const before = yield* hear(whole)
          assert.deepStrictEqual(before.warnings, [])
          const { summary, warnings } = yield* hear(holed(whole))
          const middle = before.summary.durationSeconds / 2
          assert.include(warnings, "media_damaged")
          const { detail = "" } = summary.warnings.find(({ code }) => code === "media_damaged") ?? {}
          const [, minutes, seconds, lost] =
            /^Damaged at (\d+):(\d\d): (\d+\.\d) s could not be decoded\.$/.exec(detail) ?? []
          assert.approximately(Number(minutes) * 60 + Number(seconds), middle, 0.1 * middle, detail)
          const missing = before.summary.durationSeconds - summary.durationSeconds
          // Of FLAC some noise comes out of the hole: frames without a time.
          assert.approximately(Number(lost), missing, format === "flac" ? 0.5 : 0.15, detail)
          const part = yield* hear(holed(whole), { endAt: 20_000 })
          assert.notInclude(part.warnings, "media_damaged")
        }),
      )
    }

    for (const format of ["mp3", "m4a", "ogg", "webm"]) {
      it.effect(`a large hole in ${format} does not make it cut off`, () =>
        Effect.gen(function* () {
          const whole = made(`minutes.${format}`, "-stream_loop", "9", "-i", speech())
          const hole = holed(whole, 0.08)
          const { warnings } = yield* hear(hole)
          assert.include(warnings, "media_damaged")
          assert.notInclude(warnings, "media_truncated")
        }),
      )
    }

    it.effect("a file that is damaged inside and also ends early is both", () =>
      Effect.gen(function* () {
        const whole = made("minutes.mp3", "-stream_loop", "9", "-i", speech())
        const { warnings } = yield* hear(cut(holed(whole, 0.08), 0.7))
        assert.sameMembers([...warnings], ["media_truncated", "media_damaged"])
      }),
    )

    it.effect("channels in opposite phase are not heard as silence", () =>
      Effect.gen(function* () {
        const opposite = made("opposite.wav", "-i", speech(), "-af", "pan=stereo|c0=c0|c1=-1*c0")
        const plain = yield* hear(speech())
        const { windows, warnings } = yield* hear(opposite)
        assert.deepStrictEqual(warnings, ["channels_cancel"])
        assert.strictEqual(windows.length, plain.windows.length)
      }),
    )

    it.effect("silence has no windows, digital or not", () =>
      Effect.gen(function* () {
        const hour = ["-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "3600", "-c:a", "flac"]
        const silence = made("silence.flac", ...hour)
        const { windows, summary } = yield* hear(silence)
        assert.strictEqual(windows.length, 0)
        assert.approximately(summary.durationSeconds, 3600, 1)
      }),
    )

    it.effect("a picture inside an MP3 is left alone", () =>
      Effect.gen(function* () {
        const cover = made(
          "cover.mp3",
          ...["-i", recording("mp3"), "-i", picture(), "-map", "0", "-map", "1"],
          ...["-c:a", "copy", "-c:v", "png", "-disposition:v", "attached_pic"],
        )
        const { windows, warnings } = yield* hear(cover)
        assert.deepStrictEqual([windows.length, warnings], [3, []])
      }),
    )
  },
)
