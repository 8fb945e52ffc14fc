import { join } from "node:path"
import { Config, Option, type Redacted } from "effect"
import { DEFAULT_MODEL } from "../pocketsphinx/PocketSphinx.js"
import { DEFAULT_COMMAND } from "../whisper/WhisperCpp.js"

/** What an operator says about engines. */
export interface EngineSettings {
  /** The folder that models are pulled into. */
  readonly modelsFolder: string
  readonly whisperCommand: string
  /** The file of a model for whisper.cpp; the best of the folder of models where it is not said. */
  readonly whisperModel: string | undefined
  /** An OpenAI-compatible endpoint. */
  readonly httpUrl: string | undefined
  readonly httpKey: Redacted.Redacted | undefined
  readonly httpModelFast: string | undefined
  readonly httpModelAccurate: string | undefined
  readonly pocketsphinxModel: string
  /** Engine processes at once; as many as the machine has cores and memory for where it is not said. */
  readonly workers: number | undefined
}

const optional = <A>(config: Config.Config<A>) => Config.map(Config.option(config), Option.getOrUndefined)

const modelsFolder = Config.string("EARMARK_MODELS_DIR").pipe(
  Config.orElse(() =>
    Config.string("EARMARK_DATA_DIR").pipe(
      Config.withDefault(".earmark"),
      Config.map((folder) => join(folder, "models")),
    ),
  ),
)

/** The settings of engines from the environment. */
export const engineSettings: Config.Config<EngineSettings> = Config.all({
  modelsFolder,
  whisperCommand: Config.string("EARMARK_WHISPER_CLI").pipe(Config.withDefault(DEFAULT_COMMAND)),
  whisperModel: optional(Config.string("EARMARK_WHISPER_MODEL")),
  httpUrl: optional(Config.string("EARMARK_ENGINE_HTTP_URL")),
  httpKey: optional(Config.redacted("EARMARK_ENGINE_HTTP_KEY")),
  httpModelFast: optional(Config.string("EARMARK_ENGINE_HTTP_MODEL_FAST")),
  httpModelAccurate: optional(Config.string("EARMARK_ENGINE_HTTP_MODEL_ACCURATE")),
  pocketsphinxModel: Config.string("EARMARK_POCKETSPHINX_MODEL").pipe(Config.withDefault(DEFAULT_MODEL)),
  workers: optional(Config.integer("EARMARK_WORKERS")),
})
