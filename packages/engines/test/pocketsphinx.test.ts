import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { compareTexts } from "@earmark/core/text"
import { SpeechEngine } from "@earmark/service"
import { canSpeak, spokenBy, startErrors } from "@earmark/testkit"
import { speechEngineContract } from "@earmark/testkit/contracts"
import { afterAll, assert, describe, it, vi } from "@effect/vitest"
import { Effect, Either } from "effect"
import { DEFAULT_MODEL, layer } from "../src/pocketsphinx/index.js"
import { readCtm } from "../src/pocketsphinx/readCtm.js"
import { crashEngines, enginesOf } from "./processes.js"
import { windowOf } from "./windows.js"

// Engines are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const canHear = spawnSync("pocketsphinx_batch", ["-help"], { stdio: "ignore" }).error === undefined
const isReady = canHear && canSpeak() && existsSync(DEFAULT_MODEL)
const NAME = "pocketsphinx"

if (!isReady && process.env.CI === "true") {
  it("needs its programs", () => assert.fail("apt-get install pocketsphinx pocketsphinx-en-us flite"))
}

const SENTENCE = "The weather on the island was calm and the boats came home before dark."
const MODEL_FREE = "The results of the study were published in the journal last month."

if (isReady) {
  speechEngineContract(NAME, {
    layer: layer({ workers: 2 }),
    spoken: windowOf(spokenBy("rms", SENTENCE)),
    language: "en",
    unknownLanguage: "de",
    crash: crashEngines(/^pocketsphinx/),
  })
}

describe.skipIf(!isReady)(
  `${NAME}${isReady ? "" : " (skipped: apt-get install pocketsphinx pocketsphinx-en-us flite)"}`,
  () => {
    afterAll(() => assert.deepStrictEqual(enginesOf(), []))

    it.live("hears what is said, fast and accurate, and says that it is a draft", () =>
      Effect.gen(function* () {
        const { capabilities, recognize } = yield* SpeechEngine
        assert.isTrue(capabilities.isDraft)
        for (const quality of ["fast", "accurate"] as const) {
          const window = windowOf(spokenBy("awb", MODEL_FREE))
          const { words } = yield* recognize(window, { language: "en-US", quality, vocabulary: [] })
          const heard = words.map(({ text }) => text).join(" ")
          const { rate } = Either.getOrThrow(compareTexts(MODEL_FREE, heard)).words
          assert.isBelow(rate, 0.35, heard)
        }
      }).pipe(Effect.provide(layer({ workers: 1 }))),
    )

    it.live("a pause inside a window shifts no word behind it", () =>
      Effect.gen(function* () {
        const { recognize } = yield* SpeechEngine
        const [first, second] = [spokenBy("rms", SENTENCE), spokenBy("rms", MODEL_FREE)]
        const pause = new Int16Array(2 * 16_000)
        const samples = Int16Array.from([...first, ...pause, ...second])
        const asked = { language: "en", quality: "fast", vocabulary: [] } as const
        const together = yield* recognize(windowOf(samples, 0), asked)
        const alone = yield* recognize(windowOf(second, (first.length + pause.length) / 16), asked)
        const [from, to] = [first.length / 16, (first.length + pause.length) / 16]
        assert.deepStrictEqual(
          together.words.filter(({ start, end }) => start > from && end < to),
          [],
        )
        const errors = startErrors(
          alone.words,
          together.words.filter(({ start }) => start >= to),
        )
        assert.isAbove(errors.length, 6)
        assert.isBelow(errors.at(-1) ?? 0, 150, errors.join())
      }).pipe(Effect.provide(layer({ workers: 1 }))),
    )

    it.live("hears no worse than the program alone", () =>
      Effect.gen(function* () {
        const folder = mkdtempSync(join(tmpdir(), "earmark-bare-"))
        const spoken = [spokenBy("awb", SENTENCE), spokenBy("slt", MODEL_FREE)]
        spoken.forEach((samples, at) => {
          writeFileSync(join(folder, `u${at}.raw`), Buffer.from(samples.buffer))
        })
        writeFileSync(join(folder, "list"), "u1\nu0\n")
        const flags = `-hmm ${DEFAULT_MODEL}/en-us -lm ${DEFAULT_MODEL}/en-us.lm.bin -dict ${DEFAULT_MODEL}/cmudict-en-us.dict`
        const rest = `-ctl ${folder}/list -cepdir ${folder} -cepext .raw -adcin yes -remove_silence no -ctm ${folder}/words`
        spawnSync("pocketsphinx_batch", `${flags} ${rest}`.split(" "), { stdio: "ignore" })
        const lines = readFileSync(join(folder, "words"), "utf8").split("\n")
        rmSync(folder, { recursive: true })
        const { recognize } = yield* SpeechEngine
        for (const [at, samples] of spoken.entries()) {
          const bare = readCtm(lines.filter((line) => line.startsWith(`u${at} `)).join("\n"))
          const asked = { language: "en", quality: "accurate", vocabulary: [] } as const
          const { words } = yield* recognize(windowOf(samples, 0), asked)
          assert.isAbove(bare.length, 8)
          assert.deepStrictEqual(
            words.map(({ text, start, confidence }) => ({ text, start, confidence })),
            bare.map(({ text, start, confidence }) => ({ text, start, confidence })),
          )
        }
      }).pipe(Effect.provide(layer({ workers: 1 }))),
    )

    it.live("a model that does not load makes it unavailable, and the reason is told", () =>
      Effect.gen(function* () {
        const folder = mkdtempSync(join(tmpdir(), "earmark-model-"))
        spawnSync("cp", ["-r", `${DEFAULT_MODEL}/.`, folder])
        writeFileSync(join(folder, "en-us/mdef"), "rubbish")
        const { recognize } = yield* Effect.provide(SpeechEngine, layer({ model: folder }))
        const window = windowOf(spokenBy("rms", SENTENCE))
        const failure = yield* Effect.flip(
          recognize(window, { language: null, quality: "fast", vocabulary: [] }),
        )
        spawnSync("rm", ["-r", folder])
        assert.strictEqual(failure.code, "engine_unavailable")
        assert.match(String(failure.cause), /did not start.*ended/s)
      }),
    )

    it.live("what is not installed is named, with the command that installs it", () =>
      Effect.gen(function* () {
        for (const options of [{ command: "no-such-program" }, { model: "/no/such/folder" }]) {
          const failure = yield* Effect.flip(Effect.provide(SpeechEngine, layer(options)))
          assert.deepInclude(failure, { code: "engine_unavailable", isTransient: false })
          assert.match(String(failure.cause), /apt-get install pocketsphinx pocketsphinx-en-us/)
        }
      }),
    )

    it.live("scratch files go", () =>
      Effect.gen(function* () {
        const folder = mkdtempSync(join(tmpdir(), "earmark-scratch-"))
        vi.stubEnv("TMPDIR", folder)
        const window = windowOf(spokenBy("rms", SENTENCE))
        yield* Effect.gen(function* () {
          const { recognize } = yield* SpeechEngine
          yield* recognize(window, { language: "en", quality: "fast", vocabulary: [] })
          const [own = ""] = readdirSync(folder)
          assert.deepStrictEqual(readdirSync(join(folder, own)).sort(), ["list", "words.ctm"])
        }).pipe(Effect.provide(layer({ workers: 1 })))
        assert.deepStrictEqual(readdirSync(folder), [])
        rmSync(folder, { recursive: true })
      }).pipe(Effect.ensuring(Effect.sync(() => vi.unstubAllEnvs()))),
    )
  },
)

describe("CTM", () => {
  it("words with their times; markers and variants are not words", () => {
    const text =
      "w1 1 0.46 0.44 welcome 0.878\nw1 1 0.91 0.23 and(2) 1.000\nw1 1 1.20 0.10 <sil> 1.0\nw1 1 1.3 0.1 ++um++ 0.4\nrubbish\n"
    assert.deepStrictEqual(readCtm(text), [
      { text: "welcome", start: 460, end: 910, confidence: 0.878 },
      { text: "and", start: 910, end: 1_150, confidence: 1 },
    ])
  })
})
