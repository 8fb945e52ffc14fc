import { type EngineCapabilities, SpeechEngine, type WorkFailed } from "@earmark/service"
import { Effect, Layer, Option, Schema, type Scope } from "effect"
import { languageRefused } from "../failures.js"
import { isSilent, nothingHeard, placeWords } from "../heard.js"
import { knowsLanguage } from "../languages.js"
import { childProgram } from "../pool/childEngine.js"
import { forkEngine } from "../pool/forkEngine.js"
import { HeardMessage } from "../pool/messages.js"
import { makeProcessPool, type PoolOptions } from "../pool/ProcessPool.js"
import { scratchFolder } from "../programs/scratchFolder.js"
import { type Mischief, scriptedEngine } from "./scriptedChild.js"

export interface ScriptedOptions extends Mischief {
  readonly pool?: Partial<PoolOptions>
}

const PROGRAM = childProgram(scriptedEngine)

const parse = Schema.decodeUnknownOption(HeardMessage)
const read = (answer: unknown) => Option.getOrNull(parse(answer))

const LANGUAGES = ["en", "de"]

/** An engine for tests whose crashes, hangs and lies are real: it runs in processes of its own. */
export const make = ({
  pool: poolOptions = {},
  ...mischief
}: ScriptedOptions = {}): Effect.Effect<SpeechEngine["Type"], WorkFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* scratchFolder("scripted")
    const settings = { ...mischief, folder }
    const pool = yield* makeProcessPool(
      "The scripted engine",
      () => forkEngine({ engine: "The scripted engine", program: PROGRAM, settings, read }),
      poolOptions,
    )
    const capabilities: EngineCapabilities = {
      id: "scripted",
      model: "scripted-child",
      languages: LANGUAGES,
      detectsLanguage: true,
      wordTimes: true,
      confidence: true,
      vocabulary: "none",
      qualities: ["fast"],
      concurrency: poolOptions.size ?? 1,
      windows: { longest: 28_000, joinUpTo: 25_000 },
      isDraft: false,
      isStandIn: true,
    }
    return SpeechEngine.of({
      capabilities,
      recognize: Effect.fn("Scripted.recognize")(function* (window, options) {
        const { language } = options
        if (language !== null && !knowsLanguage(LANGUAGES, language)) {
          return yield* languageRefused(capabilities.id, language)
        }
        const heard = isSilent(window) ? nothingHeard : yield* pool.recognize("scripted", window, options)
        return yield* placeWords(heard, window)
      }),
    })
  })

export const layer = (options: ScriptedOptions = {}): Layer.Layer<SpeechEngine, WorkFailed> =>
  Layer.scoped(SpeechEngine, make(options))
