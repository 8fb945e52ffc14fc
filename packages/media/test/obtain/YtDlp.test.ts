import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Logger, LogLevel } from "effect"
import { because } from "../../../../test/servers/because.js"
import { SocialVideo, YtDlp } from "../../src/index.js"
import { scratchFolder } from "../../src/obtain/scratch.js"
import { said } from "../resolve/world.js"
import { POST, record, withProgram } from "./withProgram.js"

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
        yield* said(social.describe("https://vimeo.com/12345678"))
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
            yield* said(social.describe(address)),
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

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // A dead child that nobody has collected yet runs no more.
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")
  } catch {
    return false
  }
}

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
      const outcome = yield* withProgram(hanging(mark), (social) => said(social.describe(POST)), {
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
