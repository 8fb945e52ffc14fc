import { type EngineCapabilities, type Fetcher, SpeechEngine, type WorkFailed } from "@earmark/service"
import { Effect, Layer, type Scope } from "effect"
import { broken } from "../failures.js"
import { make as makeOpenAi } from "../openai/OpenAi.js"
import { make as makePocketSphinx } from "../pocketsphinx/PocketSphinx.js"
import { SettingNames } from "../SettingNames.js"
import { make as makeSherpa } from "../sherpa/Sherpa.js"
import { make as makeWhisper } from "../whisper/WhisperCpp.js"
import { chooseEngine, type EngineChoice, type EngineName, lacking } from "./chooseEngine.js"
import type { EngineSettings } from "./EngineSettings.js"

const NONE: EngineCapabilities = {
  id: "none",
  model: "none",
  languages: "any",
  detectsLanguage: false,
  wordTimes: false,
  confidence: false,
  vocabulary: "none",
  qualities: ["fast", "accurate"],
  concurrency: 1,
  windows: { longest: 28_000, joinUpTo: 25_000 },
  isDraft: false,
}

/** Captions need no engine: a service without one still does what can be done. */
const unavailableEngine = (why: string) =>
  SpeechEngine.of({ capabilities: NONE, recognize: () => Effect.fail(broken(why)) })

/** The engine of a choice. */
export const makeChosen = (
  choice: EngineChoice,
  settings: EngineSettings,
): Effect.Effect<SpeechEngine["Type"], WorkFailed, Fetcher | Scope.Scope> => {
  const { workers } = settings
  switch (choice.engine) {
    case "sherpa":
      return makeSherpa({ models: choice.models, workers })
    case "whisper":
      return makeWhisper({ command: choice.command, model: choice.model, workers })
    case "openai":
      return makeOpenAi({
        url: choice.url,
        key: settings.httpKey,
        modelFast: settings.httpModelFast,
        modelAccurate: settings.httpModelAccurate,
      })
    case "pocketsphinx":
      return makePocketSphinx({ command: choice.command, model: settings.pocketsphinxModel, workers })
    case null:
      return Effect.succeed(unavailableEngine(choice.why))
  }
}

/** The engine asked for, or the best that is here, for a language where one is given. It is chosen once, before the first window, and told in the log. */
export const layer = (
  settings: EngineSettings,
  wanted: EngineName | "auto" = "auto",
  language: string | null = null,
): Layer.Layer<SpeechEngine, WorkFailed, Fetcher> =>
  Layer.scoped(
    SpeechEngine,
    Effect.gen(function* () {
      const choice = yield* chooseEngine(settings, wanted, language)
      // Where no engine is left, its reason has them in it.
      if (choice.engine !== null) for (const fault of choice.faults) yield* Effect.logWarning(fault)
      const told = choice.engine === null ? choice.why : `Engine ${choice.engine}: ${choice.why}`
      const isFallback = wanted === "auto" && choice.engine === "pocketsphinx"
      if (isFallback) yield* Effect.logWarning(`${told} ${lacking(yield* SettingNames).sherpa}`)
      else yield* choice.engine === null ? Effect.logWarning(told) : Effect.logInfo(told)
      return yield* makeChosen(choice, settings)
    }),
  )
