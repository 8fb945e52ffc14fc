import { existsSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type SocialVideo, YtDlp } from "../../src/index.js"
import { scratchFolder } from "../../src/obtain/scratch.js"
import { said, turn } from "../resolve/world.js"
import { standIn } from "./standIn.js"
import { POST, record, withProgram } from "./withProgram.js"

describe("downloading a clip", () => {
  const code = (social: SocialVideo["Type"], folder: string, maxBytes = 1000) =>
    social.download(POST, folder, { maxBytes }).pipe(
      Effect.match({
        onFailure: ({ code: is, isTransient }) => `${is} ${isTransient}`,
        onSuccess: () => "fine",
      }),
    )

  it.live("gives the one file that came", () =>
    withProgram(`fs.writeFileSync(output, "sound")`, (social, { calls }) =>
      Effect.gen(function* () {
        const folder = yield* scratchFolder
        const { path, bytes } = yield* social.download(POST, folder, { maxBytes: 1000 })
        assert.strictEqual(bytes, 5)
        assert.strictEqual(readFileSync(path, "utf8"), "sound")
        assert.isTrue(path.startsWith(folder))
        const args = calls()[0]?.args ?? []
        assert.strictEqual(args[args.indexOf("--max-filesize") + 1], "1000")
        assert.strictEqual(args[args.indexOf("--downloader") + 1], "native")
        assert.isFalse(existsSync(args[args.indexOf("--ffmpeg-location") + 1] ?? "/"))
      }),
    ),
  )

  const troubles: ReadonlyArray<readonly [string, string, string]> = [
    [
      "larger than allowed, whatever was said",
      `fs.writeFileSync(output, "x".repeat(1001))`,
      "media_too_large false",
    ],
    [
      "larger than allowed, as the program says",
      `console.log("File is larger than max-filesize")`,
      "media_too_large false",
    ],
    ["nothing", "", "source_unresolvable false"],
    ["a link to something else", `fs.symlinkSync("/etc/passwd", output)`, "source_unresolvable false"],
    ["a folder", `fs.mkdirSync(output)`, "source_unresolvable false"],
    [
      "half of it",
      `fs.writeFileSync(output, "x"); console.error("ERROR: HTTP Error 503"); process.exit(1)`,
      "download_failed true",
    ],
  ]
  for (const [what, body, outcome] of troubles) {
    it.live(`${what}: ${outcome}`, () =>
      withProgram(body, (social) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* code(social, yield* scratchFolder), outcome)
        }),
      ),
    )
  }
})

describe("a post as a source", () => {
  it.live("is a clip of ninety seconds with the captions that the site offers", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const subtitles = { en: [{ ext: "vtt", url: "https://captions.example/en.vtt" }] }
        const program = yield* standIn(record({ duration: 300, subtitles }))
        yield* turn(
          { "/@captions.example/en.vtt": "WEBVTT\n\n00:01.000 --> 02:00.000\nHello" },
          ({ resolve, captions }) =>
            Effect.gen(function* () {
              const source = yield* resolve("https://youtu.be/dQw4w9WgXcQ?si=x")
              assert.deepInclude(source, { title: "A clip", mediaUrl: POST, durationSeconds: 90 })
              assert.deepStrictEqual(source.shown, { kind: "social", url: POST })
              const [offer] = source.captions
              assert.strictEqual(offer?.madeBy, "people")
              const file = offer === undefined ? null : yield* captions(offer)
              assert.strictEqual(file?.cues[0]?.end, 90_000)
            }),
          { social: Layer.orDie(YtDlp.layer({ program: program.program })) },
        )
      }),
    ),
  )

  it.effect("without the program is what its page gives away, or a refusal that says what to do", () =>
    turn(
      {
        "/@www.tiktok.com/@ann/video/1": `<!doctype html><meta property="og:title" content="Clip"><meta property="og:video" content="https://cdn.example/a.mp4">`,
        "/@cdn.example/a.mp4": Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isomiso2", "latin1"),
        "/@www.instagram.com/p/ABCDE12345/": "<!doctype html><title>Login</title>",
      },
      ({ resolve, feed }) =>
        Effect.gen(function* () {
          const source = yield* resolve("https://www.tiktok.com/@ann/video/1")
          assert.deepInclude(source, { title: "Clip", mediaUrl: "https://cdn.example/a.mp4" })
          assert.strictEqual(source.shown.kind, "social")
          const bare = resolve("https://www.instagram.com/p/ABCDE12345/")
          assert.strictEqual(yield* said(bare), "source_not_supported source_unresolvable")
          assert.match((yield* Effect.flip(bare)).detail, /upload/)
          assert.strictEqual(yield* said(feed(POST, 1)), "feed_invalid feed_invalid")
        }),
    ),
  )
})
