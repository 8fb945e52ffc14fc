import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  type EngineSettings,
  examineModelFolder,
  forgetAdded,
  listAdded,
  missingDefaults,
  rememberAdded,
} from "../src/index.js"
import { pickModel, type SherpaModel, sherpaModels } from "../src/sherpa/index.js"
import { recogniseLayout } from "../src/sherpa/layouts.js"
import { modelsFor } from "../src/sherpa/SherpaModel.js"

const place = mkdtempSync(join(tmpdir(), "earmark-own-models-"))
afterAll(() => rmSync(place, { recursive: true }))

/** Published folders of each family, as they are unpacked. */
const PUBLISHED: ReadonlyArray<
  readonly [name: string, kind: string, languages: unknown, files: ReadonlyArray<string>, tokens?: string]
> = [
  [
    "sherpa-onnx-whisper-base",
    "whisper",
    "any",
    [
      "base-encoder.onnx",
      "base-encoder.int8.onnx",
      "base-decoder.onnx",
      "base-decoder.int8.onnx",
      "base-tokens.txt",
    ],
  ],
  [
    "sherpa-onnx-whisper-tiny.en",
    "whisper",
    ["en"],
    ["tiny.en-encoder.onnx", "tiny.en-decoder.onnx", "tiny.en-tokens.txt"],
  ],
  [
    "sherpa-onnx-moonshine-base-en-int8",
    "moonshine",
    ["en"],
    [
      "preprocess.onnx",
      "encode.int8.onnx",
      "uncached_decode.int8.onnx",
      "cached_decode.int8.onnx",
      "tokens.txt",
    ],
  ],
  [
    "sherpa-onnx-moonshine-base-es-quantized-2026-02-27",
    "moonshineMerged",
    ["es"],
    ["encoder_model.ort", "decoder_model_merged.ort", "tokens.txt"],
  ],
  [
    "sherpa-onnx-zipformer-multi-zh-en-2023-09-02",
    "transducer",
    ["zh", "en"],
    [
      "encoder-epoch-20-avg-1.int8.onnx",
      "encoder-epoch-20-avg-1.onnx",
      "decoder-epoch-20-avg-1.onnx",
      "joiner-epoch-20-avg-1.onnx",
      "bpe.model",
      "tokens.txt",
    ],
  ],
  [
    "sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8",
    "nemoTransducer",
    ["en"],
    ["encoder.int8.onnx", "decoder.int8.onnx", "joiner.int8.onnx", "tokens.txt"],
  ],
  [
    "sherpa-onnx-nemo-parakeet-tdt_ctc-110m-en-36000-int8",
    "nemoCtc",
    ["en"],
    ["model.int8.onnx", "tokens.txt"],
  ],
  ["my-german", "nemoCtc", null, ["model.onnx", "tokens.txt"], "<unk> 0\n▁der 1\n<blk> 1024\n"],
  [
    "sherpa-onnx-paraformer-zh-2024-03-09",
    "paraformer",
    ["zh"],
    ["model.int8.onnx", "model.onnx", "tokens.txt"],
  ],
  ["voices", "paraformer", null, ["model.onnx", "tokens.txt"], "<blank> 0\n<s> 1\nand@@ 2\n"],
  [
    "sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17",
    "senseVoice",
    ["zh", "en", "ja", "ko", "yue"],
    ["model.int8.onnx", "tokens.txt"],
  ],
  ["sherpa-onnx-zipformer-ctc-en-2023-10-02", "zipformerCtc", ["en"], ["model.int8.onnx", "tokens.txt"]],
]

describe("a folder with a model", () => {
  it("is recognised by its files, in each family that sherpa-onnx publishes", () => {
    for (const [name, kind, languages, files, tokens = ""] of PUBLISHED) {
      const layout = recogniseLayout({ name, files, tokens })
      if (typeof layout === "string") throw new Error(`${name}: ${layout}`)
      assert.strictEqual(layout.candidates[0]?.kind, kind, name)
      assert.deepStrictEqual(layout.languages, languages, name)
      assert.isTrue(files.includes(layout.tokens), name)
      // Of two precisions the quick one; every file named is there.
      const { kind: _, ...paths } = layout.candidates[0] ?? { kind: "" }
      for (const path of Object.values(paths)) {
        assert.include(files, path, name)
        if (/int8/.test(path)) continue
        assert.notInclude(files, path.replace(".onnx", ".int8.onnx").replace(".ort", ".int8.ort"), name)
      }
    }
  })

  it("without weights or tokens, of a family nobody knows, or streaming, is refused with the reason", () => {
    const refusal = (...files: ReadonlyArray<string>) => recogniseLayout({ name: "m", files, tokens: "" })
    assert.match(String(refusal("readme.md")), /no model files/)
    assert.match(String(refusal("model.onnx")), /no list of tokens/)
    assert.match(String(refusal("encoder.onnx", "tokens.txt")), /no family/)
    assert.match(
      String(
        refusal("encoder-epoch-1-avg-1-chunk-16-left-128.onnx", "decoder.onnx", "joiner.onnx", "tokens.txt"),
      ),
      /streaming/,
    )
  })

  it.effect("is remembered with its sizes, listed by what is there now, and forgotten", () =>
    Effect.gen(function* () {
      const folder = join(place, "sherpa-onnx-zipformer-ctc-en")
      const models = join(place, "models")
      mkdirSync(folder)
      writeFileSync(join(folder, "model.onnx"), "weights")
      writeFileSync(join(folder, "tokens.txt"), "a 0\n")
      const [added] = yield* examineModelFolder(folder)
      assert.deepInclude(added, { name: "sherpa-onnx-zipformer-ctc-en", folder, languages: ["en"] })
      yield* rememberAdded(models, added)
      const state = Effect.map(listAdded(models), (all) => all.map((each) => each.state))
      assert.deepStrictEqual(yield* state, ["present"])
      writeFileSync(join(folder, "model.onnx"), "other weights")
      assert.deepStrictEqual(yield* state, ["corrupt"])
      rmSync(folder, { recursive: true })
      assert.deepStrictEqual(yield* state, ["absent"])
      assert.isTrue(yield* forgetAdded(models, added.name))
      assert.isFalse(yield* forgetAdded(models, added.name))
      assert.isFalse(yield* forgetAdded(models, "../models/added"))
      const taken = yield* Effect.flip(examineModelFolder(place, { name: "moonshine-base" }))
      assert.match(taken.message, /name of a model that can be pulled/)
    }),
  )
})

describe("of several models", () => {
  const own = (
    id: string,
    languages: SherpaModel["languages"],
    more: Partial<SherpaModel> = {},
  ): SherpaModel => ({
    id,
    files: { kind: "zipformerCtc", model: "/m.onnx" },
    tokens: "/t.txt",
    languages,
    needBytes: 1,
    ...more,
  })
  const pulled = (...ids: ReadonlyArray<string>) => sherpaModels("/m").filter(({ id }) => ids.includes(id))

  it("one that nobody has measured comes last, unless it was chosen", () => {
    const english = [own("unknown", ["en"]), ...pulled("moonshine-base", "moonshine-tiny")]
    assert.strictEqual(pickModel(english, "en", "accurate")?.id, "moonshine-base")
    assert.strictEqual(pickModel(english, "en", "fast")?.id, "moonshine-tiny")
    assert.strictEqual(pickModel(english, null, "accurate")?.id, "moonshine-base")
    assert.strictEqual(pickModel([own("unknown", ["de"]), ...english], "de", "fast")?.id, "unknown")
    const chosen = [...english, own("mine", ["de"], { isChosen: true })]
    assert.strictEqual(pickModel(chosen, "de", "accurate")?.id, "mine")
    assert.strictEqual(pickModel(chosen, null, "accurate")?.id, "mine")
    assert.strictEqual(pickModel(chosen, "en", "accurate")?.id, "moonshine-base")
  })

  it("the guide says which one is taken for which language", () => {
    const guide = readFileSync(new URL("../../../docs/guides/choosing-an-engine.md", import.meta.url), "utf8")
    const all = sherpaModels("/m")
    /** Best first: each is the pick among those that are left. */
    const ranked = (language: string, quality: "fast" | "accurate") => {
      const ids: Array<string> = []
      for (;;) {
        const best = pickModel(
          all.filter(({ id }) => !ids.includes(id)),
          language,
          quality,
        )
        if (best === undefined) return ids.map((id) => `\`${id}\``).join(", ")
        ids.push(best.id)
      }
    }
    const european = all.find(({ id }) => id.startsWith("parakeet"))?.languages ?? []
    const others = [...european].filter((code) => code !== "en")
    for (const [name, codes] of [
      ["English", ["en"]],
      [others.join(" "), others],
      ["about 75 others", ["ja", "tr", "ar", "hi"]],
    ] as const)
      for (const code of codes)
        assert.include(guide, `| ${name} | ${ranked(code, "accurate")} | ${ranked(code, "fast")} |`, code)
  })

  it("windows are those of the models that may be picked, and of no other", () => {
    const ids = (language: string | null, quality: "fast" | "accurate", ...from: ReadonlyArray<string>) =>
      modelsFor(pulled(...from), language, quality).map(({ id }) => id)
    const both = ["moonshine-base-en", "parakeet-tdt-0.6b-v3"]
    assert.deepStrictEqual(ids("de", "fast", ...both), ["parakeet-tdt-0.6b-v3"])
    assert.deepStrictEqual(ids("en", "accurate", ...both), ["parakeet-tdt-0.6b-v3"])
    assert.deepStrictEqual(ids("en", "fast", ...both), ["moonshine-base-en"])
    assert.deepStrictEqual(ids(null, "fast", ...both), ["parakeet-tdt-0.6b-v3"])
    // A detected language may turn out to be English.
    assert.include(ids(null, "fast", "moonshine-base-en", "whisper-small"), "moonshine-base-en")
  })

  it.effect("those of the default engine are missing only where they would be used", () =>
    Effect.gen(function* () {
      const settings: EngineSettings = {
        modelsFolder: join(place, "none"),
        sherpaModel: undefined,
        whisperCommand: "/no/whisper",
        whisperModel: undefined,
        httpUrl: undefined,
        httpKey: undefined,
        httpModelFast: undefined,
        httpModelAccurate: undefined,
        pocketsphinxCommand: "/no/pocketsphinx",
        pocketsphinxModel: "/no/model",
        workers: 1,
      }
      const missing = (
        language: string | null,
        quality: "fast" | "accurate",
        changes: Partial<EngineSettings> = {},
        wanted: "auto" | "sherpa" | "whisper" = "auto",
      ) =>
        Effect.map(missingDefaults({ ...settings, ...changes }, wanted, { language, quality }), (models) =>
          models.map(({ id }) => id),
        )
      assert.deepStrictEqual(yield* missing(null, "accurate"), ["moonshine-base", "silero-vad"])
      assert.deepStrictEqual(yield* missing("en-GB", "fast"), ["moonshine-tiny", "silero-vad"])
      assert.deepStrictEqual(yield* missing("de", "accurate"), [])
      assert.deepStrictEqual(yield* missing(null, "accurate", {}, "whisper"), [])
      const endpoint = { httpUrl: "http://localhost:8000/v1" }
      assert.deepStrictEqual(yield* missing(null, "accurate", endpoint), [])
      assert.deepStrictEqual(yield* missing(null, "accurate", endpoint, "sherpa"), [
        "moonshine-base",
        "silero-vad",
      ])
      // A model of several languages was set up: whatever is spoken is for it.
      const folder = join(place, "own", "sherpa-onnx-whisper-base")
      mkdirSync(folder, { recursive: true })
      for (const name of ["base-encoder.onnx", "base-decoder.onnx", "base-tokens.txt"])
        writeFileSync(join(folder, name), name)
      copyFileSync(join(folder, "base-tokens.txt"), join(folder, "more-tokens.txt"))
      const modelsFolder = join(place, "with-whisper")
      const [added] = yield* examineModelFolder(folder)
      yield* rememberAdded(modelsFolder, added)
      assert.deepStrictEqual(yield* missing(null, "accurate", { modelsFolder }), [])
      assert.deepStrictEqual(yield* missing("en", "accurate", { modelsFolder }), [
        "moonshine-base",
        "silero-vad",
      ])
    }),
  )
})
