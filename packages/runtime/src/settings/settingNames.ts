import { SettingNames } from "@earmark/engines"
import { Effect, Layer } from "effect"

/** The variables that set what engines are given: failures and findings name them. */
const variables: SettingNames["Type"] = {
  engine: "EARMARK_ENGINE",
  sherpaModel: "EARMARK_SHERPA_MODEL",
  whisperCommand: "EARMARK_WHISPER",
  whisperModel: "EARMARK_WHISPER_MODEL",
  httpUrl: "EARMARK_OPENAI_URL",
  httpKey: "EARMARK_OPENAI_KEY",
  pocketsphinxCommand: "EARMARK_POCKETSPHINX",
  llmUrl: "EARMARK_LLM_URL",
  llmKey: "EARMARK_LLM_KEY",
  llmModel: "EARMARK_LLM_MODEL",
  translateUrl: "EARMARK_TRANSLATE_URL",
  translateKey: "EARMARK_TRANSLATE_KEY",
}

/** Engines that are made within name the variables of the environment. */
export const layerSettingNames = Layer.succeed(SettingNames, variables)

/** What asks for engines within names the variables of the environment. */
export const withSettingNames = Effect.provideService(SettingNames, variables)
