import { join } from "node:path"
import { warningOf } from "@earmark/core/jobs"
import { type EngineCapabilities, SpeechEngine, type WorkFailed } from "@earmark/service"
import { Effect, Layer, type Scope } from "effect"
import { broken, languageRefused } from "../failures.js"
import { isThere } from "../files.js"
import { type Heard, isSilent, nothingHeard, placeWords } from "../heard.js"
import { knowsLanguage, onlyLanguageOf } from "../languages.js"
import { makeProcessPool, type PoolOptions } from "../pool/ProcessPool.js"
import { processCount } from "../pool/processCount.js"
import { findProgram } from "../programs/findProgram.js"
import { startBatch } from "./batchProcess.js"
import { DEFAULT_COMMAND, DEFAULT_MODEL } from "./defaults.js"

export interface PocketSphinxOptions {
  /** The program: a path, or a name to be found on PATH. */
  readonly command?: string
  /** The folder of the model. */
  readonly model?: string
  /** Processes at once; one a core where it is not said. */
  readonly workers?: number | undefined
  readonly pool?: Partial<PoolOptions>
}

const MEGABYTE = 1024 * 1024
const NEED = 200 * MEGABYTE
const LIMIT = 600 * MEGABYTE

const MODEL_FILES = ["en-us/mdef", "en-us.lm.bin", "cmudict-en-us.dict"]

const LANGUAGES = ["en"]

const capabilitiesOf = (concurrency: number): EngineCapabilities => ({
  id: "pocketsphinx",
  model: "en-us",
  languages: LANGUAGES,
  detectsLanguage: false,
  wordTimes: true,
  confidence: true,
  vocabulary: "none",
  qualities: ["fast", "accurate"],
  concurrency,
  // Alone between two pauses, a few words lack those before them, and enough sound to know the voice by.
  windows: { longest: 28_000, joinUpTo: 12_000 },
  isDraft: true,
})

/** The files of the model that are not there. */
export const missingModelFiles = (model: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.filter(
    MODEL_FILES.map((name) => join(model, name)),
    isThere,
    { negate: true },
  )

const INSTALL = "on Debian and Ubuntu: sudo apt-get install pocketsphinx pocketsphinx-en-us"

/** The engine that needs no download: English only, lower case, no punctuation, a draft. */
export const make = (
  options: PocketSphinxOptions = {},
): Effect.Effect<SpeechEngine["Type"], WorkFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const { command = DEFAULT_COMMAND, model = DEFAULT_MODEL } = options
    const program = yield* findProgram(command)
    if (program === null) return yield* broken(`${command} is not installed; ${INSTALL}.`)
    const [missing] = yield* missingModelFiles(model)
    if (missing !== undefined) return yield* broken(`The model of pocketsphinx lacks ${missing}; ${INSTALL}.`)
    const size = processCount({ needBytes: NEED, asked: options.workers })
    const pool = yield* makeProcessPool(
      "pocketsphinx",
      (key) => startBatch({ command: program, model, quality: key === "fast" ? "fast" : "accurate" }),
      { residentLimit: LIMIT, ...options.pool, size },
    )
    const capabilities = capabilitiesOf(size)

    return SpeechEngine.of({
      capabilities,
      recognize: Effect.fn("PocketSphinx.recognize")(function* (window, asked) {
        const { language, quality } = asked
        if (language !== null && !knowsLanguage(LANGUAGES, language)) {
          return yield* languageRefused(capabilities.id, language)
        }
        const heard = isSilent(window) ? nothingHeard : yield* pool.recognize(quality, window, asked)
        const guessed: Pick<Heard, "language" | "warnings"> =
          language === null
            ? { language: onlyLanguageOf(LANGUAGES), warnings: [warningOf("language_guessed")] }
            : { language: null, warnings: [] }
        return yield* placeWords({ ...heard, ...guessed }, window)
      }),
    })
  })

export const layer = (options: PocketSphinxOptions = {}): Layer.Layer<SpeechEngine, WorkFailed> =>
  Layer.scoped(SpeechEngine, make(options))
