import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { SpeechEngine, VoiceActivity, VoiceActivityEnergy } from "@earmark/service"
import { canSpeak, spokenBy } from "@earmark/testkit"
import { afterAll, assert, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import {
  layer,
  pickModel,
  type SherpaModel,
  senseVoice,
  sherpaModels,
  VoiceActivitySilero,
} from "../src/sherpa/index.js"
import { readResult } from "../src/sherpa/readResult.js"
import { configOf } from "../src/sherpa/SherpaModel.js"
import { enginesOf } from "./processes.js"
import { toneOf, windowOf } from "./windows.js"

// Engines are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), "earmark-sherpa-"))
const window = windowOf(toneOf(2_000))
const asked = { language: "en", quality: "fast", vocabulary: [] } as const
const require = createRequire(import.meta.url)
const silero = join(dirname(require.resolve("@ricky0123/vad-web")), "silero_vad_v6.onnx")

const hear = (models: ReadonlyArray<SherpaModel>) =>
  Effect.flatMap(SpeechEngine, ({ recognize }) => recognize(window, asked)).pipe(
    Effect.provide(layer({ models, workers: 1 })),
  )

/** The files of a model, with rubbish in them. */
const rubbish = (id: string): SherpaModel => {
  const found = sherpaModels(folder).find((model) => model.id === id)
  if (found === undefined) throw new Error(`no model ${id}`)
  const { kind: _, ...files } = found.files
  mkdirSync(join(folder, id), { recursive: true })
  for (const path of [...Object.values(files), found.tokens]) writeFileSync(path, "rubbish\n".repeat(1_000))
  return found
}

afterAll(() => {
  assert.deepStrictEqual(enginesOf(), [])
  rmSync(folder, { recursive: true })
})

describe("sherpa-onnx", () => {
  it.live("a model file that is not there is named", () =>
    Effect.gen(function* () {
      const models = sherpaModels("/no/models").filter(({ id }) => id === "whisper-small")
      const failure = yield* Effect.flip(hear(models))
      assert.deepInclude(failure, { code: "engine_unavailable", isTransient: false })
      assert.match(
        String(failure.cause),
        /\/no\/models\/whisper-small\/small-encoder\.int8\.onnx is not there/,
      )
      assert.match(String((yield* Effect.flip(hear([]))).cause), /earmark models pull/)
    }),
  )

  for (const id of ["parakeet-tdt-0.6b-v3", "whisper-small", "moonshine-base-en"]) {
    it.live(`${id}: a corrupt model ends its child, not this process, and the reason is told`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(hear([rubbish(id)]))
        assert.strictEqual(failure.code, "engine_unavailable")
        assert.match(
          String(failure.cause),
          /sherpa-onnx (?:ended \(SIGABRT\)|cannot load).*(?:protobuf|Protobuf|model|token)/is,
        )
      }),
    )
  }

  it("picks the model for a language and a quality", () => {
    const models = [...sherpaModels("/m"), senseVoice("/m/s.onnx", "/m/t.txt")]
    const picked = (language: string | null, quality: "fast" | "accurate") =>
      pickModel(models, language, quality)?.id
    assert.strictEqual(picked("en", "fast"), "moonshine-tiny")
    assert.strictEqual(picked("de", "fast"), "whisper-small")
    assert.strictEqual(picked("de", "accurate"), "parakeet-tdt-0.6b-v3")
    assert.strictEqual(picked("ja", "accurate"), "whisper-turbo")
    assert.strictEqual(picked(null, "fast"), "whisper-small")
    assert.isUndefined(
      pickModel(
        models.filter(({ id }) => id === "moonshine-base-en"),
        "de",
        "fast",
      ),
    )
    assert.strictEqual(
      pickModel(
        models.filter(({ id }) => id === "moonshine-base-en"),
        null,
        "fast",
      )?.id,
      "moonshine-base-en",
    )
  })

  it.live("Moonshine base alone is given windows with longer pauses", () =>
    Effect.gen(function* () {
      const { windowsFor } = yield* SpeechEngine
      const pauseOf = (language: string | null, quality: "fast" | "accurate") =>
        windowsFor?.({ language, quality }).longestPause
      assert.deepStrictEqual(
        [pauseOf("en", "accurate"), pauseOf(null, "accurate"), pauseOf("en", "fast")],
        [2000, 2000, undefined],
      )
    }).pipe(Effect.provide(layer({ models: ["moonshine-base", "moonshine-tiny"].map(rubbish), workers: 1 }))),
  )

  it("configures each family of models", () => {
    const config = (id: string, language: string | null) => {
      const model = sherpaModels("/m").find((known) => known.id === id)
      return model === undefined ? undefined : configOf(model, language).modelConfig
    }
    assert.deepInclude(config("parakeet-tdt-0.6b-v3", null), {
      transducer: {
        encoder: "/m/parakeet-tdt-0.6b-v3/encoder.int8.onnx",
        decoder: "/m/parakeet-tdt-0.6b-v3/decoder.int8.onnx",
        joiner: "/m/parakeet-tdt-0.6b-v3/joiner.int8.onnx",
      },
      modelType: "nemo_transducer",
      tokens: "/m/parakeet-tdt-0.6b-v3/tokens.txt",
      numThreads: 1,
    })
    assert.deepNestedInclude(config("whisper-small", "de"), {
      "whisper.language": "de",
      "whisper.task": "transcribe",
    })
    assert.deepNestedInclude(config("moonshine-base-en", null), {
      "moonshine.uncachedDecoder": "/m/moonshine-base-en/uncached_decode.int8.onnx",
      "moonshine.cachedDecoder": "/m/moonshine-base-en/cached_decode.int8.onnx",
    })
    const sense = configOf(senseVoice("/m/s.onnx", "/m/t.txt"), null).modelConfig
    assert.deepNestedInclude(sense, { "senseVoice.model": "/m/s.onnx", "senseVoice.language": "auto" })
  })

  it("joins tokens to words, with the times that there are", () => {
    const timed = {
      text: " So it is.",
      tokens: [" So", "▁it", " i", "s", "."],
      timestamps: [0.1, 0.4, 0.6, 0.7, 0.9],
    }
    const words = readResult(timed, 1_200)?.words.map(({ text, start, end }) => [text, start, end])
    assert.deepStrictEqual(words, [
      ["So", 100, 400],
      ["it", 400, 600],
      ["is.", 600, 1_200],
    ])
    const lasting = readResult({ ...timed, durations: [0.2, 0.1, 0.1, 0.1, 0] }, 1_200)
    assert.deepStrictEqual(
      lasting?.words.map(({ end }) => end),
      [300, 500, 900],
    )
    const chinese = { text: "你好", tokens: ["你", "好"], timestamps: [0, 0.3], lang: "<|zh|>" }
    assert.deepStrictEqual(
      readResult(chinese, 600)?.words.map(({ text }) => text),
      ["你", "好"],
    )
    assert.deepStrictEqual(readResult(chinese, 600)?.language, { code: "zh", confidence: 1 })
  })

  it("spreads the text where there are no times, and says so", () => {
    const heard = readResult({ text: " one three ", tokens: ["one", "three"], timestamps: [] }, 1_000)
    assert.deepStrictEqual(
      heard?.words.map(({ text, start, end }) => [text, start, end]),
      [
        ["one", 0, 400],
        ["three", 400, 1_000],
      ],
    )
    assert.deepStrictEqual(
      heard?.warnings.map(({ code }) => code),
      ["no_word_times"],
    )
    assert.isNull(readResult({ tokens: [] }, 1_000))
    assert.deepStrictEqual(readResult({ text: " " }, 1_000)?.words, [])
  })
})

const TALK = [
  spokenOrNothing("rms", "welcome back to the show"),
  spokenOrNothing("slt", "and what was the hardest part"),
]

function spokenOrNothing(voice: "rms" | "slt", sentence: string): Int16Array {
  return canSpeak() ? spokenBy(voice, sentence) : new Int16Array(0)
}

/** Two sentences, with two seconds of silence before, between and after. */
const conversation = (): {
  readonly samples: Int16Array
  readonly speech: ReadonlyArray<readonly [number, number]>
} => {
  const pause = 32_000
  const total = TALK.reduce((sum, part) => sum + part.length + pause, pause)
  const samples = new Int16Array(total)
  const speech: Array<readonly [number, number]> = []
  let at = pause
  for (const part of TALK) {
    samples.set(part, at)
    speech.push([at / 16 + 300, (at + part.length) / 16 - 400])
    at += part.length + pause
  }
  return { samples, speech }
}

const spansBy = (size: number) =>
  Effect.gen(function* () {
    const { open } = yield* VoiceActivity
    const { push, finish } = yield* open
    const { samples } = conversation()
    const spans = []
    for (let at = 0; at < samples.length; at += size) spans.push(...push(samples.subarray(at, at + size)))
    return [...spans, ...finish()]
  }).pipe(Effect.scoped)

/** So many seconds of voices over each other. */
const crowdOf = (seconds: number): Int16Array => {
  const crowd = new Int16Array(seconds * 16_000)
  for (const [voice, part] of TALK.entries())
    for (let shift = 0; shift < 3; shift++)
      for (let at = 0; at < crowd.length; at++)
        crowd[at] =
          (crowd[at] ?? 0) +
          (part[((at + (shift * part.length) / 3 + voice * 7_000) % part.length) | 0] ?? 0) / 4
  return crowd
}

describe.skipIf(!canSpeak())(
  `the Silero voice detector${canSpeak() ? "" : " (skipped: apt-get install flite)"}`,
  () => {
    it.live("finds who speaks where, however the samples are cut, as the energy detector does", () =>
      Effect.gen(function* () {
        const [whole, pieces] = yield* Effect.all([spansBy(Number.POSITIVE_INFINITY), spansBy(777)]).pipe(
          Effect.provide(VoiceActivitySilero.layer({ model: silero })),
        )
        assert.deepStrictEqual(pieces, whole)
        const { speech } = conversation()
        const energy = yield* Effect.provide(spansBy(16_000), VoiceActivityEnergy.layer)
        for (const spans of [whole, energy]) {
          assert.strictEqual(spans.length, speech.length, JSON.stringify(spans))
          spans.forEach(({ start, end }, index) => {
            const [from = 0, to = 0] = speech[index] ?? []
            assert.closeTo(start, from, 350)
            assert.closeTo(end, to, 350)
          })
        }
      }),
    )

    it.live("the model of the catalogue is used without a process that tries it first", () =>
      Effect.gen(function* () {
        const { execPath } = process
        yield* Effect.acquireRelease(
          Effect.sync(() => {
            process.execPath = join(folder, "no-such-program")
          }),
          () =>
            Effect.sync(() => {
              process.execPath = execPath
            }),
        )
        const { id } = yield* Effect.provide(VoiceActivity, VoiceActivitySilero.layer({ model: silero }))
        assert.strictEqual(id, "silero-2 silero_vad_v6.onnx")
      }).pipe(Effect.scoped),
    )

    it.live("voices without any pause are told of in parts, with nothing between them", () =>
      Effect.gen(function* () {
        const { open } = yield* VoiceActivity
        const { push, finish } = yield* open
        const spans = [...push(crowdOf(85)), ...finish()]
        assert.isAbove(spans.length, 1)
        for (const { start, end } of spans) assert.isBelow(end - start, 60_000)
        for (const [index, { start }] of spans.entries())
          assert.isBelow(start - (spans[index - 1]?.end ?? 0), 300)
        assert.closeTo(spans.at(-1)?.end ?? 0, 85_000, 300)
      }).pipe(Effect.scoped, Effect.provide(VoiceActivitySilero.layer({ model: silero }))),
    )

    it.live("a model that is missing or corrupt is told; this process goes on", () =>
      Effect.gen(function* () {
        const corrupt = join(folder, "corrupt.onnx")
        writeFileSync(corrupt, "rubbish".repeat(10_000))
        for (const model of [corrupt, join(folder, "missing.onnx")]) {
          const failure = yield* Effect.flip(
            Effect.provide(VoiceActivity, VoiceActivitySilero.layer({ model })),
          )
          assert.strictEqual(failure.code, "engine_unavailable")
        }
      }),
    )
  },
)
