import { warningOf } from "@earmark/core/jobs"
import { type AudioWindow, type EngineCapabilities, SpeechEngine, type WorkFailed } from "@earmark/service"
import { Effect, Layer, type Scope } from "effect"
import { broken, languageRefused } from "../failures.js"
import { isThere } from "../files.js"
import { isSilent, nothingHeard, placeWords } from "../heard.js"
import { baseOf, onlyLanguageOf } from "../languages.js"
import { childProgram } from "../pool/childEngine.js"
import type { RecognizeOptions } from "../pool/EngineProcess.js"
import { forkEngine } from "../pool/forkEngine.js"
import { makeProcessPool, type PoolOptions } from "../pool/ProcessPool.js"
import { processCount } from "../pool/processCount.js"
import { findSherpa, INSTALL_SHERPA } from "./findSherpa.js"
import { readResult } from "./readResult.js"
import { configOf, detectorAmong, modelsFor, pickModel, type SherpaModel } from "./SherpaModel.js"
import { sherpaEngine } from "./sherpaChild.js"

export interface SherpaOptions {
  /** The models at hand: see `sherpaModels`. */
  readonly models: ReadonlyArray<SherpaModel>
  readonly workers?: number | undefined
  readonly pool?: Partial<PoolOptions>
}

const PROGRAM = childProgram(sherpaEngine)
const NAME = "sherpa-onnx"

const languagesOf = (models: ReadonlyArray<SherpaModel>): "any" | ReadonlyArray<string> => {
  const known = new Set<string>()
  for (const { languages } of models) {
    if (languages === "any") return "any"
    for (const language of languages) known.add(language)
  }
  return [...known]
}

/**
 * The first Moonshine fails from ten seconds on; no other model takes more than thirty. Moonshine base gets fewer words wrong where it hears
 * beyond short pauses; the others do not, or were not measured.
 */
const shapeOf = (models: ReadonlyArray<SherpaModel>): EngineCapabilities["windows"] => {
  if (models.some(({ files }) => files.kind === "moonshine")) return { longest: 9_000, joinUpTo: 9_000 }
  const shape = { longest: 28_000, joinUpTo: 25_000 }
  const isBase = models.length > 0 && models.every(({ id }) => id === "moonshine-base")
  return isBase ? { ...shape, longestPause: 2_000 } : shape
}

const TIMED: ReadonlyArray<SherpaModel["files"]["kind"]> = [
  "transducer",
  "nemoTransducer",
  "senseVoice",
  "nemoCtc",
  "zipformerCtc",
]

const capabilitiesOf = (models: ReadonlyArray<SherpaModel>, concurrency: number): EngineCapabilities => {
  const languages = languagesOf(models)
  return {
    id: "sherpa",
    model: models.map(({ id }) => id).join(", "),
    languages,
    detectsLanguage: detectorAmong(models) !== undefined,
    wordTimes: models.every(({ files }) => TIMED.includes(files.kind)),
    confidence: false,
    vocabulary: "none",
    qualities: models.length > 1 ? ["fast", "accurate"] : ["accurate"],
    concurrency,
    windows: shapeOf(models),
    isDraft: false,
  }
}

const filePaths = ({ files, tokens }: SherpaModel): ReadonlyArray<string> => {
  const { kind: _, ...paths } = files
  return [...Object.values(paths), tokens]
}

/** Models of sherpa-onnx, each in processes of its own. */
export const make = ({
  models,
  workers,
  pool: overrides,
}: SherpaOptions): Effect.Effect<SpeechEngine["Type"], WorkFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const module = findSherpa()
    if (module === null) return yield* broken(`sherpa-onnx-node is not installed: ${INSTALL_SHERPA}.`)
    if (models.length === 0)
      return yield* broken("No model for sherpa-onnx is there: earmark models pull parakeet-tdt-0.6b-v3.")
    for (const path of models.flatMap(filePaths)) {
      if (!(yield* isThere(path)))
        return yield* broken(`The model file ${path} is not there: earmark models list.`)
    }
    const needBytes = Math.max(...models.map((model) => model.needBytes))
    const size = processCount({ needBytes, asked: workers })
    const configs = new Map<string, unknown>()
    const pool = yield* makeProcessPool(
      NAME,
      (key) =>
        forkEngine({
          engine: NAME,
          program: PROGRAM,
          settings: { module, config: configs.get(key) },
          read: (answer, window) => readResult(answer, window.end - window.start),
        }),
      { residentLimit: 2 * needBytes, ...overrides, size },
    )
    const capabilities = capabilitiesOf(models, size)

    const hear = (
      model: SherpaModel,
      language: string | null,
      window: AudioWindow,
      asked: RecognizeOptions,
    ) => {
      const key = `${model.id} ${language ?? ""}`
      configs.set(key, configOf(model, language))
      return isSilent(window) ? Effect.succeed(nothingHeard) : pool.recognize(key, window, asked)
    }

    const detector = detectorAmong(models)

    return SpeechEngine.of({
      capabilities,
      windowsFor: ({ language, quality }) =>
        shapeOf(modelsFor(models, language === null ? null : baseOf(language), quality)),
      detectLanguage: Effect.fn("Sherpa.detectLanguage")(function* (window) {
        if (detector === undefined) return null
        const asked = { language: null, quality: "fast", vocabulary: [] } as const
        return (yield* hear(detector, null, window, asked)).language
      }),
      recognize: Effect.fn("Sherpa.recognize")(function* (window, asked) {
        const language = asked.language === null ? null : baseOf(asked.language)
        const model = pickModel(models, language, asked.quality)
        if (model === undefined) return yield* languageRefused(capabilities.id, language ?? "")
        // Only these are told a language; the others hear every one they know.
        const told = model.files.kind === "whisper" || model.files.kind === "senseVoice" ? language : null
        const heard = yield* hear(model, told, window, asked)
        if (language !== null || heard.language !== null) return yield* placeWords(heard, window)
        const warnings = [...heard.warnings, warningOf("language_guessed")]
        return yield* placeWords({ ...heard, language: onlyLanguageOf(model.languages), warnings }, window)
      }),
    })
  })

export const layer = (options: SherpaOptions): Layer.Layer<SpeechEngine, WorkFailed> =>
  Layer.scoped(SpeechEngine, make(options))
