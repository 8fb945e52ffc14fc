import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import type { SourceRefused } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Logger, LogLevel, type Scope } from "effect"
import { because } from "../../../../test/servers/because.js"
import { SocialVideo, YtDlp, type YtDlpOptions } from "../../src/index.js"
import { scratchFolder } from "../../src/obtain/scratch.js"
import { said, turn } from "../resolve/world.js"
import { type StandIn, standIn } from "./standIn.js"

const POST = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"

const withProgram = <A, E>(
  body: string,
  use: (social: SocialVideo["Type"], program: StandIn) => Effect.Effect<A, E, Scope.Scope>,
  options: YtDlpOptions = {},
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const program = yield* standIn(body)
      return yield* Effect.flatMap(SocialVideo, (social) => use(social, program)).pipe(
        Effect.provide(YtDlp.layer({ program: program.program, ...options })),
      )
    }),
  )

const record = (more: object) =>
  `console.log(${JSON.stringify(JSON.stringify({ title: "A clip", duration: 61.4, language: "en", ...more }))})`

const failureOf = (asked: Effect.Effect<unknown, SourceRefused>) => said(asked)

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // A dead child that nobody has collected yet runs no more.
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")
  } catch {
    return false
  }
}

describe("how the program is called", () => {
  it.live("without a shell, behind a guarded way out, with nothing of ours in its surroundings", () =>
    withProgram(record({}), (social, { calls }) =>
      Effect.gen(function* () {
        yield* social.describe(`${POST}&x=$(touch+hacked);'"`)
        const [call] = calls()
        assert.deepStrictEqual(call?.args.slice(-2), ["--", POST])
        for (const name of ["--ignore-config", "--no-cache-dir", "--no-playlist", "--no-exec"]) {
          assert.include(call?.args ?? [], name)
        }
        const extractors = call?.args[call.args.indexOf("--use-extractors") + 1]
        assert.strictEqual(extractors, "youtube.*")
        const proxy = call?.env.https_proxy ?? ""
        assert.match(proxy, /^http:\/\/earmark:[0-9a-f]{48}@127\.0\.0\.1:\d+$/)
        assert.notInclude(call?.args.join(" "), new URL(proxy).password)
        assert.deepStrictEqual(Object.keys(call?.env ?? {}).sort(), [
          "HOME",
          "LANG",
          "PATH",
          "PYTHONNOUSERSITE",
          "TMPDIR",
          "YTDLP_NO_PLUGINS",
          "all_proxy",
          "http_proxy",
          "https_proxy",
        ])
        assert.strictEqual(call?.env.HOME, call?.cwd)
        assert.deepStrictEqual(call?.files, [])
        assert.isFalse(existsSync(call?.cwd ?? ""))
      }),
    ),
  )

  it.live("and what it complains of is logged without the secret of the way out", () => {
    const lines: Array<string> = []
    const log = Logger.make(({ message }) => void lines.push(String(message)))
    return withProgram("console.error('no answer from ' + proxy); process.exit(1)", (social) =>
      Effect.map(Effect.flip(social.describe(POST)), ({ detail }) => {
        const text = [...lines, detail].join("\n")
        assert.match(text, /no answer from http:\/\/earmark:\.\.\.@127\.0\.0\.1:\d+/)
        assert.notMatch(text, /[0-9a-f]{48}/)
      }),
    ).pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, log)),
      Logger.withMinimumLogLevel(LogLevel.Debug),
    )
  })

  it.live.skipIf(spawnSync("yt-dlp", ["--version"]).status !== 0)(
    "and the real program goes through it with its secret",
    () => {
      const looked: Array<string> = []
      const resolve = (name: string) => {
        looked.push(name)
        return Promise.resolve(["127.0.0.1"])
      }
      return Effect.gen(function* () {
        const social = yield* SocialVideo
        yield* failureOf(social.describe("https://vimeo.com/12345678"))
        // A way out that is refused for want of its secret looks up nothing.
        assert.include(looked.join(" "), "vimeo.com")
      }).pipe(Effect.provide(YtDlp.layer({ resolve })))
    },
  )

  it.live("never with an address that is not a post of a known site", () =>
    withProgram(record({}), (social, { calls }) =>
      Effect.gen(function* () {
        const others = [
          "http://127.0.0.1/x",
          "http://169.254.169.254/latest",
          "https://example.org/watch?v=dQw4w9WgXcQ",
          "https://www.youtube.com.example.org/watch?v=dQw4w9WgXcQ",
          "https://www.youtube.com/redirect?q=http://10.0.0.1/",
          "file:///etc/passwd",
          "--exec=id",
          "-",
          "",
        ]
        for (const address of others) {
          assert.strictEqual(
            yield* failureOf(social.describe(address)),
            "source_not_supported source_unresolvable",
            address,
          )
          const folder = yield* scratchFolder
          assert.isTrue(Exit.isFailure(yield* Effect.exit(social.download(address, folder, { maxBytes: 1 }))))
        }
        assert.deepStrictEqual(calls(), [])
      }),
    ),
  )

  it.live("a post of X by the name that every version knows", () =>
    withProgram(record({}), (social, { calls }) =>
      Effect.gen(function* () {
        yield* social.describe("https://x.com/ann/status/123")
        assert.strictEqual(calls()[0]?.args.at(-1), "https://twitter.com/i/status/123")
      }),
    ),
  )
})

describe("what the program says of a post", () => {
  const track = (url: string) => [
    { ext: "vtt", url: `${url}.vtt` },
    { ext: "json3", url },
  ]

  it.live("title, length, language, captions of people and of machines", () =>
    withProgram(
      record({
        title: "A\u0000 clip\n",
        subtitles: {
          de: track("https://a.example/de"),
          live_chat: track("https://a.example/chat"),
          "../x": track("https://a.example/x"),
        },
        automatic_captions: { "en-orig": track("https://a.example/en"), fr: track("https://a.example/fr") },
      }),
      (social) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* social.describe(POST), {
            title: "A clip",
            durationSeconds: 61.4,
            language: "en",
            captions: [
              { url: "https://a.example/de", language: "de", madeBy: "people" },
              { url: "https://a.example/en", language: "en", madeBy: "machine" },
            ],
          })
          // What this site lists was heard by a machine.
          const clip = yield* social.describe("https://www.tiktok.com/@a/video/123")
          assert.deepInclude(clip.captions[0], { language: "de", madeBy: "machine" })
        }),
    ),
  )

  it.live("of several clips in one post the first counts", () =>
    withProgram(
      `console.log(JSON.stringify({ _type: "playlist", title: "Post", entries: [{ title: "First", duration: 5 }] }))`,
      (social) =>
        Effect.map(social.describe(POST), ({ title, durationSeconds }) =>
          assert.deepStrictEqual([title, durationSeconds], ["First", 5]),
        ),
    ),
  )

  const complaints: ReadonlyArray<readonly [string, string]> = [
    [
      "[youtube] x: Private video. Sign in if you've been granted access",
      "unresolvable_link source_forbidden",
    ],
    ["[youtube] x: Sign in to confirm you’re not a bot", "unresolvable_link source_forbidden"],
    [
      "[youtube] x: Video unavailable. This video has been removed by the uploader",
      "unresolvable_link source_not_found",
    ],
    [
      "[TikTok] 1: Unable to download webpage: HTTP Error 404: Not Found",
      "unresolvable_link source_not_found",
    ],
    ["[Instagram] x: HTTP Error 429: Too Many Requests", "unresolvable_link download_failed later"],
    ["[vimeo] 1: <urlopen error timed out>", "unresolvable_link download_failed later"],
    ["[x] Unable to download: Tunnel connection failed: 403 Forbidden", "unresolvable_link source_blocked"],
    ["No suitable extractor found for URL https://bsky.app/", "unresolvable_link source_unresolvable"],
    ["[x] something that nobody has seen before", "unresolvable_link source_unresolvable"],
  ]
  for (const [complaint, outcome] of complaints) {
    it.live(`${complaint}: ${outcome}`, () =>
      withProgram(
        `console.error("WARNING: private"); console.error(${JSON.stringify(`ERROR: ${complaint}`)}); process.exit(1)`,
        (social) =>
          Effect.gen(function* () {
            const refused = yield* Effect.flip(social.describe(POST))
            assert.strictEqual(yield* said(Effect.fail(refused)), outcome)
            assert.notInclude(refused.detail, "ERROR")
          }),
      ),
    )
  }

  const rubbish: ReadonlyArray<readonly [string, string, string]> = [
    ["live", record({ is_live: true }), "source_not_supported source_unresolvable"],
    ["not begun", record({ live_status: "is_upcoming" }), "source_not_supported source_unresolvable"],
    ["no JSON", `console.log("<html>")`, "unresolvable_link source_unresolvable"],
    ["nothing", "", "unresolvable_link source_unresolvable"],
    ["wrong types", record({ title: { a: 1 } }), "unresolvable_link source_unresolvable"],
    [
      "no end of words",
      `const more = () => { while (process.stdout.write("x".repeat(65536))); process.stdout.once("drain", more) }; more()`,
      "unresolvable_link source_unresolvable",
    ],
    [
      "no end of files",
      `for (let i = 0; ; i++) fs.writeFileSync("f" + i, Buffer.alloc(1 << 22))`,
      "unresolvable_link media_too_large",
    ],
  ]
  for (const [what, body, outcome] of rubbish) {
    it.live(`${what}: ${outcome}`, () =>
      withProgram(body, (social) =>
        Effect.map(failureOf(social.describe(POST)), (says) => assert.strictEqual(says, outcome)),
      ),
    )
  }

  it.live("a program that is not there is said to be missing", () =>
    Effect.gen(function* () {
      const social = yield* SocialVideo
      assert.match((yield* social.missing) ?? "", /install yt-dlp/)
      assert.strictEqual(yield* failureOf(social.describe(POST)), "unresolvable_link internal_error later")
    }).pipe(Effect.provide(YtDlp.layer({ program: "/nowhere/yt-dlp" }))),
  )
})

describe("the end of the program", () => {
  /** Hangs with a child of its own that hangs, too. */
  const hanging = (mark: string) => `
const { spawn } = require("node:child_process")
const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" })
fs.writeFileSync(${JSON.stringify(mark)}, process.pid + " " + child.pid)
setInterval(() => {}, 1000)`

  const pids = (mark: string) => readFileSync(mark, "utf8").split(" ").map(Number)

  const untilGone = (all: ReadonlyArray<number>) =>
    Effect.sleep("20 millis").pipe(
      Effect.repeat({ until: () => !all.some(isRunning) }),
      Effect.timeout("5 seconds"),
    )

  it.live("comes at the deadline, to its children as well", () =>
    Effect.gen(function* () {
      const mark = `${yield* scratchFolder}/pids`
      const outcome = yield* withProgram(hanging(mark), (social) => failureOf(social.describe(POST)), {
        describeWithin: 1500,
      })
      assert.strictEqual(outcome, "unresolvable_link download_timeout later")
      yield* untilGone(pids(mark))
    }).pipe(Effect.scoped),
  )

  it.live("comes when nobody waits for it any more", () =>
    Effect.gen(function* () {
      const mark = `${yield* scratchFolder}/pids`
      yield* withProgram(hanging(mark), (social) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(social.describe(POST))
          yield* Effect.sleep("20 millis").pipe(
            Effect.repeat({ until: () => existsSync(mark) && pids(mark).length === 2 }),
          )
          assert.isTrue(pids(mark).every(isRunning))
          yield* Fiber.interrupt(fiber)
          yield* untilGone(pids(mark))
        }),
      )
    }).pipe(Effect.scoped),
  )
})

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

const program = (process.env.PATH ?? "").split(delimiter).find((folder) => existsSync(join(folder, "yt-dlp")))
const missing = program === undefined ? "yt-dlp is missing: install the package yt-dlp" : null

if (missing !== null) {
  if (process.env.CI === "true") throw new Error(missing)
  process.stderr.write(`The test with the real program is skipped. ${missing}\n`)
}

describe.skipIf(missing !== null)(`the real program${because(missing)}`, () => {
  it.live("knows every argument, and finds no way past the guard", () =>
    Effect.gen(function* () {
      const social = yield* SocialVideo
      assert.isNull(yield* social.missing)
      const folder = yield* scratchFolder
      const failed = yield* Effect.flip(social.download(POST, folder, { maxBytes: 1000 }))
      // The name leads inside, so the guard closes the door before a byte is sent.
      assert.strictEqual(failed.code, "source_blocked")
    }).pipe(
      Effect.provide(YtDlp.layer({ resolve: () => Promise.resolve(["10.0.0.1"]) })),
      Logger.withMinimumLogLevel(LogLevel.Error),
      Effect.scoped,
    ),
  )
})
