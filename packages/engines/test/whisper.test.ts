import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { SpeechEngine } from "@earmark/service"
import { speechEngineContract } from "@earmark/testkit/contracts"
import { afterAll, assert, describe, it, vi } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { layer, type WhisperOptions } from "../src/whisper/index.js"
import { readWhisperJson } from "../src/whisper/readJson.js"
import { crashEngines, enginesOf, leftOf, until } from "./processes.js"
import { toneOf, windowOf } from "./windows.js"

// Engines are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), "earmark-whisper-test-"))
const command = fileURLToPath(new URL("./standIns/whisper-cli.mjs", import.meta.url))
let models = 0

/** A "model" whose text tells the stand-in how to behave. */
const modelThat = (behaviour: object, name = "ggml-base") => {
  const path = join(folder, `${name}-${++models}.bin`)
  writeFileSync(path, JSON.stringify(behaviour))
  return path
}

const runsOf = (model: string): ReadonlyArray<ReadonlyArray<string>> =>
  readFileSync(`${model}.runs`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

const window = windowOf(toneOf(3_000))
const asked = { language: "en", quality: "fast", vocabulary: [] } as const
const hear = (given = window, options: Partial<Parameters<SpeechEngine["Type"]["recognize"]>[1]> = {}) =>
  Effect.flatMap(SpeechEngine, (engine) => engine.recognize(given, { ...asked, ...options }))
const using = <A, E>(
  options: Partial<WhisperOptions> & { readonly model: string },
  test: Effect.Effect<A, E, SpeechEngine>,
) => Effect.provide(test, layer({ command, workers: 1, ...options }))

speechEngineContract("whisper.cpp, by a stand-in", {
  layer: layer({ command, model: modelThat({ delay: 150 }), workers: 2 }),
  spoken: window,
  language: "en",
  unknownLanguage: null,
  crash: crashEngines(/node|whisper/),
})

describe("whisper.cpp, by a stand-in", () => {
  afterAll(() => {
    assert.deepStrictEqual(enginesOf(), [])
    rmSync(folder, { recursive: true })
  })

  it.live("is called as its documentation says", () => {
    const model = modelThat({})
    return using(
      { model },
      Effect.gen(function* () {
        yield* hear()
        yield* hear(window, { quality: "accurate", language: null, vocabulary: ["Okafor", "Lindqvist"] })
        const [fast = [], accurate = []] = runsOf(model)
        assert.includeMembers([...fast], ["-ojf", "-np", "-sns", "-nf", "-m", model])
        assert.strictEqual(fast[fast.indexOf("-l") + 1], "en")
        assert.strictEqual(fast[fast.indexOf("-bs") + 1], "1")
        assert.notInclude(accurate, "-nf")
        assert.strictEqual(accurate[accurate.indexOf("-l") + 1], "auto")
        assert.strictEqual(accurate[accurate.indexOf("-bs") + 1], "5")
        assert.strictEqual(accurate[accurate.indexOf("--prompt") + 1], "Okafor, Lindqvist")
        // It would switch the prompt off as well.
        for (const run of [fast, accurate]) assert.notInclude(run, "-mc")
      }),
    )
  })

  it.live("windows that wait together are heard by one start", () => {
    const model = modelThat({ delay: 100 })
    return using(
      { model, batch: 8 },
      Effect.gen(function* () {
        const windows = Array.from({ length: 9 }, (_, at) =>
          windowOf(toneOf(2_000, 20 + at), at * 10_000, at),
        )
        const heard = yield* Effect.forEach(windows, (given) => hear(given), { concurrency: "unbounded" })
        const texts = heard.map(({ words }) => words.map(({ text }) => text).join(" "))
        assert.strictEqual(new Set(texts).size, windows.length)
        assert.deepStrictEqual(
          heard.map(({ words }) => words[0]?.start),
          windows.map(({ start }) => start),
        )
        assert.deepStrictEqual(
          runsOf(model).map((run) => run.filter((arg) => arg === "-f").length),
          [8, 1],
        )
      }),
    )
  })

  it.live("a crash half way keeps what was written, and fails the rest", () => {
    const model = modelThat({ delay: 50, crashAt: 2 })
    return using(
      { model },
      Effect.gen(function* () {
        const first = yield* Effect.fork(hear())
        yield* Effect.sleep("10 millis")
        const others = yield* Effect.forEach([1, 2, 3, 4], () => Effect.either(hear()), {
          concurrency: "unbounded",
        })
        yield* Fiber.join(first)
        assert.deepStrictEqual(
          others.map(({ _tag }) => _tag),
          ["Right", "Right", "Left", "Left"],
        )
        const [, , failed] = others
        assert.deepInclude(failed?._tag === "Left" ? failed.left : {}, {
          code: "engine_error",
          isTransient: true,
        })
      }),
    )
  })

  it.live("whoever is interrupted in a batch takes nobody with it", () => {
    const model = modelThat({ delay: 200 })
    return using(
      { model },
      Effect.gen(function* () {
        const blocking = yield* Effect.fork(hear())
        yield* Effect.sleep("20 millis")
        const leader = yield* Effect.fork(hear())
        const other = yield* Effect.fork(hear())
        yield* Fiber.join(blocking)
        yield* Effect.sleep("100 millis")
        const groups = enginesOf()
        yield* Fiber.interrupt(leader)
        assert.deepStrictEqual(leftOf(groups), [])
        assert.strictEqual((yield* Fiber.join(other)).words.length, 6)
      }),
    )
  })

  it.live("a model that does not load, rubbish and a hang are told apart", () =>
    Effect.gen(function* () {
      const failureOf = (behaviour: object) =>
        using({ model: modelThat(behaviour), limit: () => Duration.seconds(1) }, Effect.flip(hear()))
      const unloadable = yield* failureOf({ unloadable: true })
      assert.strictEqual(unloadable.code, "engine_error")
      assert.match(String(unloadable.cause), /exit 3.*failed to initialize whisper context/)
      assert.match(String((yield* failureOf({ rubbish: true })).cause), /no transcription/)
      assert.strictEqual((yield* failureOf({ hang: true })).code, "engine_timeout")
    }),
  )

  it.live("closing it in the middle of a window leaves nobody", () =>
    Effect.gen(function* () {
      let groups: ReadonlyArray<number> = []
      yield* using(
        { model: modelThat({ hang: true }) },
        Effect.gen(function* () {
          yield* Effect.forkScoped(hear())
          yield* until(() => enginesOf().length === 1)
          groups = enginesOf()
        }).pipe(Effect.scoped),
      )
      assert.deepStrictEqual(leftOf(groups), [])
    }),
  )

  it.live("an English model knows English only; a missing program is named", () =>
    Effect.gen(function* () {
      const failure = yield* using(
        { model: modelThat({}, "ggml-base.en") },
        Effect.flip(hear(window, { language: "de" })),
      )
      assert.strictEqual(failure.code, "language_unsupported")
      const missing = yield* Effect.flip(using({ command: "/no/whisper-cli", model: "x" }, hear()))
      assert.deepInclude(missing, { code: "engine_unavailable", isTransient: false })
      assert.match(String(missing.cause), /set the `command` of whisper\.cpp/)
    }),
  )
})

describe("the JSON of whisper.cpp", () => {
  it("joins tokens to words, also where a token ends inside a letter", () => {
    const bytes = Buffer.from("ü")
    const token = (text: string, from: number, to: number, p: number) => ({ text, p, offsets: { from, to } })
    const tokens = [
      token("[_BEG_]", 0, 0, 1),
      token(" M", 0, 100, 0.9),
      token(String.fromCharCode(bytes[0] ?? 0), 100, 150, 0.5),
      token(String.fromCharCode(bytes[1] ?? 0), 150, 200, 0.8),
      token("nchen", 200, 400, 0.7),
      token(".", 400, 420, 0.99),
    ]
    const json = Buffer.from(
      JSON.stringify({ result: { language: "de" }, transcription: [{ tokens }] }),
      "latin1",
    )
    const found = readWhisperJson(json)
    assert.deepStrictEqual(found, {
      words: [{ text: "München.", start: 0, end: 420, confidence: 0.5 }],
      language: "de",
    })
  })
})
