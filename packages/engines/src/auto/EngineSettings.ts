import { homedir } from "node:os"
import { join } from "node:path"
import type { Redacted } from "effect"
import { DEFAULT_MODEL, DEFAULT_COMMAND as POCKETSPHINX } from "../pocketsphinx/defaults.js"
import { DEFAULT_COMMAND } from "../whisper/defaultCommand.js"

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

/** What holds where nobody says otherwise. Models are large and the same everywhere: a user has each of them once. */
export const defaultEngineSettings: EngineSettings = {
  modelsFolder: join(homedir(), ".local", "share", "earmark", "models"),
  sherpaModel: undefined,
  whisperCommand: DEFAULT_COMMAND,
  whisperModel: undefined,
  httpUrl: undefined,
  httpKey: undefined,
  httpModelFast: undefined,
  httpModelAccurate: undefined,
  pocketsphinxCommand: POCKETSPHINX,
  pocketsphinxModel: DEFAULT_MODEL,
  workers: undefined,
}
