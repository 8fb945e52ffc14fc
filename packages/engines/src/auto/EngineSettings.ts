import { homedir } from "node:os"
import { join } from "node:path"
import { Config, Option, type Redacted } from "effect"
import { DEFAULT_MODEL, DEFAULT_COMMAND as POCKETSPHINX } from "../pocketsphinx/PocketSphinx.js"
import { DEFAULT_COMMAND } from "../whisper/WhisperCpp.js"

/** What an operator says about engines. */
export interface EngineSettings {
  /** The folder that models are pulled into. */
  readonly modelsFolder: string
  /** A folder with a model for sherpa-onnx, or the name of one: it comes before all others. */
  readonly sherpaModel: string | undefined
  readonly whisperCommand: string
  /** The file of a model for whisper.cpp; the best of the folder of models where it is not said. */
  readonly whisperModel: string | undefined
  /** An OpenAI-compatible endpoint. */
  readonly httpUrl: string | undefined
  readonly httpKey: Redacted.Redacted | undefined
  readonly httpModelFast: string | undefined
  readonly httpModelAccurate: string | undefined
  readonly pocketsphinxCommand: string
  readonly pocketsphinxModel: string
  /** Engine processes at once; as many as the machine has cores and memory for where it is not said. */
  readonly workers: number | undefined
}

const optional = <A>(config: Config.Config<A>) => Config.map(Config.option(config), Option.getOrUndefined)

/** Models are large and the same everywhere: a user has each of them once. */
const DEFAULT_MODELS_FOLDER = join(homedir(), ".local", "share", "earmark", "models")

/** The settings of engines from the environment. */
export const engineSettings: Config.Config<EngineSettings> = Config.all({
  modelsFolder: Config.string("EARMARK_MODELS_DIR").pipe(Config.withDefault(DEFAULT_MODELS_FOLDER)),
  sherpaModel: optional(Config.string("EARMARK_SHERPA_MODEL")),
  whisperCommand: Config.string("EARMARK_WHISPER").pipe(Config.withDefault(DEFAULT_COMMAND)),
  whisperModel: optional(Config.string("EARMARK_WHISPER_MODEL")),
  httpUrl: optional(Config.string("EARMARK_OPENAI_URL")),
  httpKey: optional(Config.redacted("EARMARK_OPENAI_KEY")),
  httpModelFast: optional(Config.string("EARMARK_OPENAI_MODEL_FAST")),
  httpModelAccurate: optional(Config.string("EARMARK_OPENAI_MODEL")),
  pocketsphinxCommand: Config.string("EARMARK_POCKETSPHINX").pipe(Config.withDefault(POCKETSPHINX)),
  pocketsphinxModel: Config.string("EARMARK_POCKETSPHINX_MODEL").pipe(Config.withDefault(DEFAULT_MODEL)),
  workers: optional(Config.integer("EARMARK_WORKERS")),
})
