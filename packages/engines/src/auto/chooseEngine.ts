import { basename, join } from "node:path"
import { Effect } from "effect"
import { isThere } from "../files.js"
import { catalogue } from "../models/catalogue.js"
import { stateOf } from "../models/Models.js"
import { DEFAULT_COMMAND, missingModelFiles } from "../pocketsphinx/PocketSphinx.js"
import { findProgram } from "../programs/findProgram.js"
import { findSherpa } from "../sherpa/findSherpa.js"
import { type SherpaModel, sherpaModel } from "../sherpa/SherpaModel.js"
import type { EngineSettings } from "./EngineSettings.js"

/** The engine that was picked, with what it runs on, and why in a sentence. */
export type EngineChoice = { readonly why: string } & (
  | { readonly engine: "sherpa"; readonly models: ReadonlyArray<SherpaModel> }
  | { readonly engine: "whisper"; readonly command: string; readonly model: string }
  | { readonly engine: "openai"; readonly url: string }
  | { readonly engine: "pocketsphinx" }
  | { readonly engine: null }
)

/** The three ways to get an engine: what every failure for want of one says. */
export const NO_ENGINE =
  "No speech engine is here. Get one of three ways: `sudo apt-get install pocketsphinx pocketsphinx-en-us` (English drafts, no download); " +
  "`npm install sherpa-onnx-node` and `earmark models pull parakeet-tdt-0.6b-v3 --accept-licence`; " +
  "or set EARMARK_ENGINE_HTTP_URL to an OpenAI-compatible endpoint."

/** The models of sherpa-onnx whose files are all there. */
const presentModels = (folder: string) =>
  Effect.gen(function* () {
    const found: Array<SherpaModel> = []
    for (const model of catalogue) {
      const runnable = sherpaModel(model, folder)
      if (runnable !== null && (yield* stateOf(folder, model)) === "present") found.push(runnable)
    }
    return found
  })

/** The largest model for whisper.cpp in the folder. */
const presentGgml = (folder: string) =>
  Effect.gen(function* () {
    for (const model of catalogue.filter(({ use }) => use === "whisper.cpp").toReversed()) {
      const [file] = model.files
      if (file !== undefined && (yield* stateOf(folder, model)) === "present") {
        return join(folder, model.id, file.name)
      }
    }
    return undefined
  })

/** Picks the best engine that is here: what is heard well before what is heard quickly, and before a draft. */
export const chooseEngine = Effect.fn("chooseEngine")(function* (
  settings: EngineSettings,
): Effect.fn.Return<EngineChoice> {
  const { modelsFolder, whisperCommand, httpUrl } = settings
  const models = findSherpa() === null ? [] : yield* presentModels(modelsFolder)
  if (models.length > 0) {
    const names = models.map(({ id }) => id).join(", ")
    return {
      engine: "sherpa",
      models,
      why: `sherpa-onnx is installed, and its models ${names} are in ${modelsFolder}.`,
    }
  }
  const command = yield* findProgram(whisperCommand)
  const model = settings.whisperModel ?? (yield* presentGgml(modelsFolder))
  if (command !== null && model !== undefined && (yield* isThere(model))) {
    return {
      engine: "whisper",
      command,
      model,
      why: `whisper.cpp is at ${command}, with the model ${basename(model)}.`,
    }
  }
  if (httpUrl !== undefined) {
    const host = URL.canParse(httpUrl) ? new URL(httpUrl).host : httpUrl
    return { engine: "openai", url: httpUrl, why: `EARMARK_ENGINE_HTTP_URL names an endpoint at ${host}.` }
  }
  const pocketsphinx = yield* findProgram(DEFAULT_COMMAND)
  const missing = yield* missingModelFiles(settings.pocketsphinxModel)
  if (pocketsphinx !== null && missing.length === 0) {
    return {
      engine: "pocketsphinx",
      why: `pocketsphinx is at ${pocketsphinx}, and nothing better is here: expect an English draft.`,
    }
  }
  return { engine: null, why: NO_ENGINE }
})
