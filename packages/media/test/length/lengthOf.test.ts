import { readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { DecoderConfig, FetcherNode, MediaDecoderFfmpeg, YtDlp } from "@earmark/media"
import {
  type JobSource,
  LengthUnknown,
  MediaDecoder,
  ObjectStore,
  ObjectStoreMemory,
  VoiceActivityEnergy,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { because } from "../../../../test/servers/because.js"
import { ffmpeg, inFolder, programsMissing } from "../decode/recordings.js"
import { httpServer } from "../fetch/servers.js"
import { loopback } from "../resolve/world.js"

const SECONDS = 127.4
const REF = "uploads/acct_01k00000000000000000000000/0f8fad5b-d9cb-469f-a165-70867728950e.mp3"

const made = new Map<string, Buffer>()

/** Two minutes of noise: in every format more than is looked at. */
const noise = (name: string, ...args: ReadonlyArray<string>): Buffer => {
  const known = made.get(name)
  if (known !== undefined) return known
  const source = `anoisesrc=d=${SECONDS}:r=44100:a=0.4`
  ffmpeg("-f", "lavfi", "-i", source, ...args, inFolder(name))
  const bytes = readFileSync(inFolder(name))
  made.set(name, bytes)
  return bytes
}

/** An ID3 tag with a picture of two megabytes before the sound. */
const tagged = (sound: Buffer): Buffer => {
  const size = 2 * 1024 * 1024
  const picture = Buffer.alloc(size, 0x11)
  picture.write("APIC", 0, "latin1")
  picture.writeUInt32BE(size - 10, 4)
  picture.fill(0, 8, 12)
  const sizes = [21, 14, 7, 0].map((shift) => (size >> shift) & 127)
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, ...sizes]), picture, sound])
}

const steady = () => noise("steady.mp3", "-b:a", "128k", "-write_xing", "0")

const files: Readonly<Record<string, () => Buffer>> = {
  "steady.mp3": steady,
  "varying.mp3": () => noise("varying.mp3", "-q:a", "3"),
  "picture.mp3": () => tagged(noise("varying.mp3", "-q:a", "3")),
  "late.m4a": () => noise("late.m4a", "-b:a", "128k"),
  "early.m4a": () => noise("early.m4a", "-b:a", "128k", "-movflags", "+faststart"),
  "video.mp4": () =>
    noise("video.mp4", ...["-f", "lavfi", "-i", `testsrc=d=${SECONDS}:s=320x240:r=5`, "-c:v", "mpeg4"]),
  "sound.wav": () => noise("sound.wav"),
  "sound.ogg": () => noise("sound.ogg", "-c:a", "libvorbis", "-b:a", "128k"),
  "sound.opus": () => noise("sound.opus", "-c:a", "libopus", "-b:a", "96k"),
  "sound.flac": () => noise("sound.flac"),
  "sound.webm": () => noise("sound.webm", "-c:a", "libopus", "-b:a", "96k"),
  "sound.aac": () => noise("sound.aac", "-b:a", "128k"),
}

const source = (mediaUrl: string | null, more: Partial<JobSource> = {}): JobSource => ({
  shown: { kind: "media" },
  mediaUrl,
  link: mediaUrl,
  identity: null,
  ...more,
})

const world = (config: Partial<DecoderConfig["Type"]> = {}) =>
  MediaDecoderFfmpeg.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        FetcherNode.layer({ allow: loopback }),
        ObjectStoreMemory.layer,
        YtDlp.none,
        VoiceActivityEnergy.layer,
        DecoderConfig.layer(config),
      ),
    ),
  )

/** Seconds, or why there are none. */
const lengthOf = (from: JobSource) =>
  Effect.gen(function* () {
    const { length } = yield* MediaDecoder
    assert(length !== undefined)
    return yield* Effect.catchTag(length(from), "LengthUnknown", ({ reason }) => Effect.succeed(reason))
  })

/** Answers with a file, or the part that is asked for; how many bytes that is. */
const serve = (request: IncomingMessage, response: ServerResponse, ranges: boolean): number => {
  const bytes = files[request.url?.slice(1) ?? ""]?.() ?? Buffer.alloc(0)
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? []
  if (!ranges || from === undefined) {
    response.writeHead(200, { "content-length": bytes.length }).end(bytes)
    return bytes.length
  }
  const part = bytes.subarray(Number(from), Number(to) + 1)
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`
  response.writeHead(206, { "content-range": range, "content-length": part.length }).end(part)
  return part.length
}

const title = `how long media is, by a part of it${because(programsMissing)}`

describe.skipIf(programsMissing !== null)(title, () => {
  for (const name of Object.keys(files).filter((name) => name !== "sound.aac")) {
    it.live(`${name}: from a site with ranges, and from the uploads`, () =>
      Effect.gen(function* () {
        const bytes = files[name]?.() ?? Buffer.alloc(0)
        let sent = 0
        const { port, hits } = yield* httpServer((request, response) => {
          sent += serve(request, response, true)
        })
        const found = yield* lengthOf(source(`http://127.0.0.1:${port}/${name}`))
        assert(typeof found === "number", String(found))
        assert.closeTo(found, SECONDS, 0.2)
        assert.isAtMost(hits.length, 4)
        assert.isAtMost(sent, 1024 * 1024)
        const store = yield* ObjectStore
        yield* store.put(
          { key: REF, contentType: "audio/mpeg", bytes: bytes.length },
          Stream.make(new Uint8Array(bytes)),
        )
        const upload = source(null, { shown: { kind: "upload", mediaRef: REF } })
        assert.strictEqual(yield* lengthOf(upload), found)
      }).pipe(Effect.provide(world()), Effect.scoped),
    )
  }

  const withoutRanges: Readonly<Record<string, number | string>> = {
    "varying.mp3": SECONDS,
    "early.m4a": SECONDS,
    "sound.wav": SECONDS,
    "sound.flac": SECONDS,
    "late.m4a": "The file does not say how long it is.",
    "sound.ogg": "The file does not say how long it is.",
  }
  for (const [name, expected] of Object.entries(withoutRanges)) {
    it.live(`${name} from a site without ranges: ${expected}`, () =>
      Effect.gen(function* () {
        const { port } = yield* httpServer((request, response) => {
          serve(request, response, false)
        })
        const found = yield* lengthOf(source(`http://127.0.0.1:${port}/${name}`))
        if (typeof expected === "string" || typeof found === "string") assert.strictEqual(found, expected)
        else assert.closeTo(found, expected, 0.2)
      }).pipe(Effect.provide(world()), Effect.scoped),
    )
  }

  it.live("raw AAC has no length to tell, and a clip counts for what is heard of it", () =>
    Effect.gen(function* () {
      const { port } = yield* httpServer((request, response) => {
        serve(request, response, true)
      })
      const at = (name: string) => `http://127.0.0.1:${port}/${name}`
      assert.match(String(yield* lengthOf(source(at("sound.aac")))), /does not say/)
      const clip = source(at("varying.mp3"), { shown: { kind: "social" } })
      assert.strictEqual(yield* lengthOf(clip), 90)
    }).pipe(Effect.provide(world()), Effect.scoped),
  )

  it.live("what the container tells needs no program", () =>
    Effect.gen(function* () {
      const { port } = yield* httpServer((request, response) => {
        serve(request, response, true)
      })
      const at = (name: string) => lengthOf(source(`http://127.0.0.1:${port}/${name}`))
      assert.closeTo(Number(yield* at("sound.wav")), SECONDS, 0.01)
      assert.closeTo(Number(yield* at("varying.mp3")), SECONDS, 0.1)
      assert.match(String(yield* at("sound.aac")), /does not say/)
    }).pipe(Effect.provide(world({ ffmpeg: null, ffprobe: null })), Effect.scoped),
  )
})

describe("what gives no length gives a reason", () => {
  const endless = (response: ServerResponse) => {
    const more = () => {
      while (response.write(Buffer.alloc(65_536, 0xff))) if (response.destroyed) return
    }
    response.writeHead(200, { "content-type": "audio/mpeg" }).on("drain", more)
    more()
  }
  const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
    "gone.mp3": (response) => response.writeHead(404).end(),
    "page.mp3": (response) => response.writeHead(200).end("<!doctype html><title>Hello</title>"),
    "empty.mp3": (response) => response.writeHead(200).end(),
    "inside.mp3": (response) => response.writeHead(302, { location: "http://10.0.0.1/a.mp3" }).end(),
    "round.mp3": (response) => response.writeHead(302, { location: "/round.mp3" }).end(),
    "endless.mp3": endless,
    "liar.mp4": (response) =>
      response
        .writeHead(206, { "content-range": "bytes 0-15/999999999999999" })
        .end(Buffer.concat([Buffer.from([0, 0, 0, 16]), Buffer.from("ftypisomfake")])),
    "elsewhere.mp4": (response) =>
      response
        .writeHead(206, { "content-range": "bytes 5-36/1000000" })
        .end(Buffer.concat([Buffer.from([0, 0, 0, 16]), Buffer.from("ftypM4A xxxx"), Buffer.alloc(16)])),
  }
  const reasons: Readonly<Record<string, RegExp>> = {
    "gone.mp3": /^127\.0\.0\.1 answered with status 404\.$/,
    "page.mp3": /^The file is not a recording\.$/,
    "empty.mp3": /^The file is not a recording\.$/,
    "inside.mp3": /10\.0\.0\.1.*\.$/,
    "round.mp3": /redirects/,
    "endless.mp3": /does not say how large/,
    "liar.mp4": /larger than is accepted/,
    "elsewhere.mp4": /does not say how long/,
  }
  for (const [name, reason] of Object.entries(reasons)) {
    it.live(`${name}: ${reason.source}`, () =>
      Effect.gen(function* () {
        const { port } = yield* httpServer((request, response) => {
          answers[request.url?.slice(1) ?? ""]?.(response)
        })
        assert.match(String(yield* lengthOf(source(`http://127.0.0.1:${port}/${name}`))), reason)
      }).pipe(Effect.provide(world()), Effect.scoped),
    )
  }

  it.live("what is not resolved, is a post, or was taken away is not asked for", () =>
    Effect.gen(function* () {
      assert.match(String(yield* lengthOf(source(null))), /did not answer/)
      assert.match(String(yield* lengthOf(source("https://vimeo.com/12345678"))), /post/)
      const upload = source(null, { shown: { kind: "upload", mediaRef: REF } })
      assert.match(String(yield* lengthOf(upload)), /no bytes any more/)
      assert.strictEqual(new LengthUnknown({ reason: "Because." }).message, "Because.")
    }).pipe(Effect.provide(world()), Effect.scoped),
  )
})
