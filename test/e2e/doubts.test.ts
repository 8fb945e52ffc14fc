import { spawnSync } from "node:child_process"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { effectiveOptions } from "@earmark/core/jobs"
import { hearing, readSettings } from "@earmark/runtime"
import { makeTranscribeAlone, ObjectStoreMemory } from "@earmark/service"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Logger, LogLevel } from "effect"
import { because } from "../servers/because.js"
import { hearingModels } from "../servers/hearingModels.js"
import { root } from "./earmark.js"
import { cannotHear, museum } from "./recordings.js"
import { linesOf, makeWorlds } from "./worlds.js"

const { world: worldOf, close, place } = makeWorlds("doubts-e2e")
afterAll(close)

let models: string | null = null
beforeAll(async () => {
  models = await hearingModels()
})

const ffmpeg = (...args: ReadonlyArray<string>) => {
  const { status, stderr } = spawnSync("ffmpeg", ["-v", "error", "-y", ...args])
  assert.strictEqual(status, 0, String(stderr))
}

const german = `${root}test/speech/foreign/de.flac`

/** A German sentence of five seconds, said again and again. */
const germanSaid = (times: number) => {
  const path = join(place, `german-${times}.wav`)
  ffmpeg("-stream_loop", String(times - 1), "-i", german, "-ar", "16000", "-ac", "1", path)
  return path
}

/** Five utterances at once, for so many seconds. */
const babble = (seconds: number) => {
  const path = join(place, "babble.wav")
  const inputs = ["0870", "0880", "0890", "0920", "0930"].flatMap((name) => [
    ...["-stream_loop", "-1", "-i", `${root}test/speech/librivox/${name}.wav`],
  ])
  const mix = "amix=inputs=5:normalize=0,volume=0.5"
  ffmpeg(...inputs, "-filter_complex", mix, "-t", String(seconds), "-ar", "16000", "-ac", "1", path)
  return path
}

const transcribe = (path: string, engine: string) =>
  Effect.gen(function* () {
    const { transcribe } = yield* makeTranscribeAlone
    const checkpoints = { load: () => Effect.succeed([]), save: () => Effect.void, report: () => Effect.void }
    return yield* transcribe({ type: "file", path }, effectiveOptions({}), { checkpoints })
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.unwrapEffect(Effect.map(readSettings, (settings) => hearing(settings))).pipe(
        Layer.provideMerge(ObjectStoreMemory.layer),
      ),
    ),
    Effect.withConfigProvider(
      ConfigProvider.fromMap(
        new Map([
          ["PATH", process.env.PATH ?? ""],
          ["EARMARK_ENGINE", engine],
          ["EARMARK_MODELS_DIR", models ?? join(place, "no-models")],
        ]),
      ),
    ),
    Logger.withMinimumLogLevel(LogLevel.None),
  )

const codesOf = (warnings: ReadonlyArray<{ readonly code: string }>) => warnings.map(({ code }) => code)

describe.skipIf(cannotHear !== null)(`doubts about a text${because(cannotHear)}`, () => {
  it.live("English heard as English has none, and its language is assumed", (test) =>
    Effect.gen(function* () {
      if (models === null) return test.skip()
      const { integrity, warnings, content, detectedLanguage } = yield* transcribe(museum, "sherpa")
      assert.deepStrictEqual(integrity?.doubts, [])
      assert.notInclude(integrity?.flags ?? [], "text_doubtful")
      assert.include(codesOf(warnings), "language_guessed")
      assert.notInclude(codesOf(warnings), "text_doubtful")
      assert.notInclude(codesOf(warnings), "parts_doubtful")
      assert.deepStrictEqual([content.language, detectedLanguage], ["en", null])
    }),
  )

  it.live("German heard as English is doubtful as a whole", (test) =>
    Effect.gen(function* () {
      if (models === null) return test.skip()
      const { integrity, warnings } = yield* transcribe(germanSaid(12), "sherpa")
      assert.include(integrity?.flags ?? [], "text_doubtful")
      assert.include(codesOf(warnings), "text_doubtful")
      const [whole] = integrity?.doubts ?? []
      assert.strictEqual(whole?.reason, "misfit")
      assert.isAtLeast((whole?.end ?? 0) - (whole?.start ?? 0), 55_000)
    }),
  )

  for (const [engine, seconds] of [
    ["sherpa", 30],
    ["pocketsphinx", 5],
  ] as const)
    it.live(`five voices at once are, by ${engine}`, (test) =>
      Effect.gen(function* () {
        if (models === null && engine === "sherpa") return test.skip()
        const { integrity, warnings } = yield* transcribe(babble(seconds), engine)
        assert.include(integrity?.flags ?? [], "text_doubtful")
        assert.include(codesOf(warnings), "text_doubtful")
      }),
    )
})

describe.skipIf(cannotHear !== null)(`a doubtful text on a terminal${because(cannotHear)}`, () => {
  it("is told in one line, with the language that was assumed; the fields of the result have the places", async ({
    skip,
  }) => {
    if (models === null) return skip()
    const { folder, run } = worldOf({
      EARMARK_ENGINE: "sherpa",
      EARMARK_LIBRARY: "off",
      EARMARK_MODELS_DIR: models,
    })
    copyFileSync(germanSaid(4), join(folder, "german.wav"))
    const { code, stdout, stderr } = await run("german.wav", "--json", "-f", "vtt", "-o", "german.vtt")
    assert.strictEqual(code, 0, stderr)
    const told = stderr.split("\n").filter((line) => line.includes("hardly fits the sound"))
    assert.deepStrictEqual(told, [
      "  the text hardly fits the sound (the language was assumed: en): listen to it before you use it",
    ])
    const [result] = linesOf(stdout)
    assert.strictEqual(result.word_timing, "estimated")
    assert.isAtLeast(result.doubts.length, 1)
    assert.include(codesOf(result.warnings), "text_doubtful")
  })

  it("is not told of English", async ({ skip }) => {
    if (models === null) return skip()
    const { add, run } = worldOf({
      EARMARK_ENGINE: "sherpa",
      EARMARK_LIBRARY: "off",
      EARMARK_MODELS_DIR: models,
    })
    add("museum.ogg")
    const { stderr } = await run("museum.ogg", "--end", "12", "--json")
    assert.notMatch(stderr, /hardly fits|in doubt|assumed/)
  })
})
