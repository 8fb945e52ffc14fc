import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Logger, LogLevel } from "effect"
import { adviseDecoder } from "../src/parts/adviseDecoder.js"
import { readSettings } from "../src/settings/Settings.js"

const place = mkdtempSync(join(tmpdir(), "earmark-advise-"))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const program = (name: string, text: string): string => {
  const path = join(place, name)
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return path
}

/** The warnings at a start with these settings. */
const warnings = (given: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (LogLevel.greaterThanEqual(logLevel, LogLevel.Warning)) lines.push(String(message))
    })
    yield* Effect.flatMap(readSettings, adviseDecoder).pipe(
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(given)))),
      Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
    )
    return lines
  })

describe("a start with a decoder that cannot be used", () => {
  it.live("warns of a setting that names nothing, in one line", () =>
    Effect.gen(function* () {
      for (const name of ["ffmpeg", "ffprobe"]) {
        const [line = "", ...more] = yield* warnings({ [`EARMARK_${name.toUpperCase()}`]: "/nope" })
        assert.deepStrictEqual(more, [])
        assert.include(line, "Media cannot be decoded.")
        assert.include(line, `the setting of ${name} is "/nope", which is not there or cannot be run.`)
        assert.notInclude(line, "\n")
      }
    }),
  )

  it.live("warns where no program is installed", () =>
    Effect.gen(function* () {
      const [line = ""] = yield* warnings({ PATH: place })
      assert.include(line, "install ffmpeg")
    }),
  )

  it.live("warns of programs that do not run, in one line", () =>
    Effect.gen(function* () {
      const unstarted = program("of-another-machine", "\u007fELF")
      const unlinked = program("without-library", "#!/bin/sh\nprintf 'liba.so\\nlibb.so\\n' >&2\nexit 127\n")
      for (const [path, said] of [
        [unstarted, "of-another-machine"],
        [unlinked, "liba.so"],
      ] as const) {
        const [line = "", ...more] = yield* warnings({ EARMARK_FFMPEG: path, EARMARK_FFPROBE: path })
        assert.deepStrictEqual(more, [])
        assert.include(line, said)
        assert.notInclude(line, "\n")
      }
    }),
  )

  it.live("says nothing where only requests are answered", () =>
    Effect.gen(function* () {
      const role = { EARMARK_ROLE: "api", EARMARK_DATABASE_URL: "postgres://127.0.0.1:1/x" }
      const key = { EARMARK_SECRETS_KEY: Buffer.alloc(32, 7).toString("base64") }
      assert.deepStrictEqual(yield* warnings({ EARMARK_FFMPEG: "/nope", ...role, ...key }), [])
    }),
  )
})
