import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { FetcherNode } from "@earmark/media"
import { SpeechEngine } from "@earmark/service"
import { afterAll, assert, describe, it, vi } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { layer } from "../src/auto/index.js"
import { chooseEngine, type EngineSettings, examineEngines, examineProgram, findModel } from "../src/index.js"
import { toneOf, windowOf } from "./windows.js"

const place = mkdtempSync(join(tmpdir(), "earmark-auto-"))
afterAll(() => rmSync(place, { recursive: true }))

let count = 0

/** A machine with nothing on it but what is said. */
const settingsWith = (changes: Partial<EngineSettings> = {}): EngineSettings => ({
  modelsFolder: join(place, `models-${++count}`),
  sherpaModel: undefined,
  whisperCommand: "/no/whisper-cli",
  whisperModel: undefined,
  httpUrl: undefined,
  httpKey: undefined,
  httpModelFast: undefined,
  httpModelAccurate: undefined,
  pocketsphinxCommand: "pocketsphinx_batch",
  pocketsphinxModel: "/no/model",
  workers: 1,
  ...changes,
})

/** Files of the right sizes, with nothing in them: all that a choice looks at. */
const placeModel = ({ modelsFolder }: EngineSettings, id: string) => {
  mkdirSync(join(modelsFolder, id), { recursive: true })
  for (const { name, bytes } of findModel(id)?.files ?? []) {
    writeFileSync(join(modelsFolder, id, name), "")
    truncateSync(join(modelsFolder, id, name), bytes)
  }
}

/** What pocketsphinx looks for in its model. */
const DRAFT_FILES = ["en-us/mdef", "en-us.lm.bin", "cmudict-en-us.dict"]

const placeProgram = (name: string) => {
  const path = join(place, name)
  writeFileSync(path, "#!/bin/sh\necho 'program version 7.1.2-x (now)'\n")
  chmodSync(path, 0o755)
  return path
}

describe("auto", () => {
  it.effect("prefers what hears best, and says why", () =>
    Effect.gen(function* () {
      const command = placeProgram("whisper-cli")
      const settings = settingsWith({ whisperCommand: command, httpUrl: "http://localhost:8000/v1" })
      placeModel(settings, "ggml-tiny-q5_1")
      const { engine, why } = yield* chooseEngine(settings)
      assert.strictEqual(engine, "whisper")
      assert.match(why, /ggml-tiny-q5_1\.bin/)
      placeModel(settings, "whisper-small")
      const better = yield* chooseEngine(settings)
      assert.strictEqual(better.engine, "sherpa")
      assert.match(better.why, /whisper-small/)
    }),
  )

  it.effect("a model that is half there does not count", () =>
    Effect.gen(function* () {
      const settings = settingsWith({ httpUrl: "http://localhost:8000/v1" })
      placeModel(settings, "whisper-small")
      writeFileSync(join(settings.modelsFolder, "whisper-small", "small-tokens.txt"), "cut")
      const { engine, why, faults } = yield* chooseEngine(settings)
      assert.strictEqual(engine, "openai")
      assert.match(why, /localhost:8000/)
      const fault =
        /^Cannot use the model whisper-small in .*: a file of it has the wrong size\. Get it again/
      assert.strictEqual(faults.length, 1)
      assert.match(faults[0] ?? "", fault)
      const named = yield* chooseEngine(settings, "sherpa")
      assert.isNull(named.engine)
      assert.match(named.why, fault)
    }),
  )

  it.live("a draft by pocketsphinx is a warning in the log, with the way to better text", () =>
    Effect.gen(function* () {
      const model = join(place, "draft-model")
      for (const name of DRAFT_FILES) {
        mkdirSync(dirname(join(model, name)), { recursive: true })
        writeFileSync(join(model, name), "")
      }
      const command = placeProgram("pocketsphinx_batch")
      const settings = settingsWith({ pocketsphinxCommand: command, pocketsphinxModel: model })
      const lines: Array<[level: string, text: string]> = []
      const logger = Logger.make(({ logLevel, message }) => void lines.push([logLevel._tag, String(message)]))
      const logged = (wanted: "auto" | "pocketsphinx") =>
        Effect.scoped(Layer.build(layer(settings, wanted))).pipe(
          Effect.provide(FetcherNode.layer()),
          Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
          Effect.map(() => lines.splice(0).filter(([, text]) => text.startsWith("Engine "))),
        )
      const [[level, text] = []] = yield* logged("auto")
      assert.strictEqual(level, "Warning")
      assert.match(text ?? "", /^Engine pocketsphinx: .*models pull moonshine-base silero-vad/)
      assert.strictEqual((yield* logged("pocketsphinx"))[0]?.[0], "Info")
    }),
  )

  it.live("without any engine the service runs, and what needs one is told the three ways", () =>
    Effect.gen(function* () {
      const { capabilities, recognize } = yield* SpeechEngine
      assert.strictEqual(capabilities.id, "none")
      const asked = { language: null, quality: "fast", vocabulary: [] } as const
      const failure = yield* Effect.flip(recognize(windowOf(toneOf(1_000)), asked))
      assert.deepInclude(failure, { code: "engine_unavailable", isTransient: false })
      assert.match(
        String(failure.cause),
        /models pull moonshine-base silero-vad.*apt-get install pocketsphinx.*set the `url` of the engine openai/,
      )
    }).pipe(Effect.provide(layer(settingsWith())), Effect.provide(FetcherNode.layer())),
  )
})

describe("doctor", () => {
  it.live("tells what is here, what is missing, and the command that gets it", () =>
    Effect.gen(function* () {
      const settings = settingsWith()
      placeModel(settings, "whisper-small")
      writeFileSync(join(settings.modelsFolder, "whisper-small", "small-tokens.txt"), "cut")
      const findings = yield* examineEngines(settings)
      const found = (name: string) => findings.find((finding) => finding.name === name)
      assert.deepInclude(found("engine"), { status: "missing" })
      assert.strictEqual(found("engine")?.fix, "earmark models pull moonshine-base silero-vad")
      assert.deepInclude(found("whisper-small"), {
        status: "missing",
        fix: "earmark models pull whisper-small",
      })
      assert.include(found("engine")?.detail ?? "", "nothing here can hear")
      const engineFor = (wanted: "openai" | "scripted") =>
        Effect.map(examineEngines(settings, wanted), (all) => all.find(({ name }) => name === "engine"))
      assert.match(
        (yield* engineFor("openai"))?.detail ?? "",
        /The name of the engine is openai.*set the `url` of the engine openai/,
      )
      assert.deepInclude(yield* engineFor("scripted"), { status: "ok" })
      assert.strictEqual(found("machine")?.status, "ok")
      assert.strictEqual(found("sherpa-onnx")?.status, "ok")
      for (const { status, fix } of findings) assert.strictEqual(fix === null, status === "ok")
    }),
  )

  it.live("says why the model that a setting names cannot be used, whichever engine is chosen", () =>
    Effect.gen(function* () {
      const named = (sherpaModel: string | undefined) =>
        Effect.map(
          examineEngines(settingsWith({ sherpaModel, httpUrl: "http://127.0.0.1:9/v1" }), "openai"),
          (all) => all.find(({ name }) => name === "sherpa model"),
        )
      assert.isUndefined(yield* named(undefined))
      const folder = yield* named("/nope")
      assert.deepInclude(folder, { status: "missing", fix: "set `sherpaModel` to a model, or leave it out" })
      assert.match(folder?.detail ?? "", /^`sherpaModel`: .*\/nope/)
      assert.match(
        (yield* named("moonshine"))?.detail ?? "",
        /^`sherpaModel` names moonshine, which is not here/,
      )
    }),
  )

  it.live("finds programs by PATH, with their versions", () =>
    Effect.gen(function* () {
      placeProgram("listener")
      vi.stubEnv("PATH", `${place}:/usr/bin:/bin`)
      const sought = {
        name: "listener",
        command: "listener",
        setting: "EARMARK_LISTENER",
        versionFlag: "--version",
        purpose: "listens",
        isNeeded: true,
        fix: "get it",
      }
      const there = yield* examineProgram(sought)
      assert.deepStrictEqual(there, {
        name: "listener",
        status: "ok",
        detail: `7.1.2-x, ${join(place, "listener")}`,
        fix: null,
      })
      const outdated = { before: "7.2", why: "too old", fix: "get another" }
      assert.deepInclude(yield* examineProgram({ ...sought, outdated }), {
        status: "old",
        detail: `7.1.2-x, ${join(place, "listener")}: too old`,
        fix: "get another",
      })
      assert.deepStrictEqual(
        yield* examineProgram({ ...sought, outdated: { ...outdated, before: "7.1" } }),
        there,
      )
      const gone = yield* examineProgram({ ...sought, name: "no-such-program", command: "no-such-program" })
      assert.deepStrictEqual(gone, {
        name: "no-such-program",
        status: "missing",
        detail: "listens",
        fix: "get it",
      })
      assert.strictEqual(
        (yield* examineProgram({
          ...sought,
          name: "no-such-program",
          command: "no-such-program",
          isNeeded: false,
        })).status,
        "unused",
      )
      assert.deepStrictEqual(
        yield* examineProgram({ ...sought, command: "/nowhere/listener", isNeeded: false }),
        {
          name: "listener",
          status: "missing",
          detail: 'EARMARK_LISTENER is "/nowhere/listener", but no such program was found',
          fix: "set EARMARK_LISTENER to the path of listener, or leave it out",
        },
      )
    }).pipe(Effect.ensuring(Effect.sync(() => vi.unstubAllEnvs()))),
  )
})
