import { basename, join } from "node:path"
import { Effect, Struct } from "effect"
import { isThere } from "../files.js"
import { catalogue } from "../models/catalogue.js"
import { stateOf } from "../models/Models.js"
import { missingModelFiles } from "../pocketsphinx/PocketSphinx.js"
import { findProgram } from "../programs/findProgram.js"
import { findSherpa, INSTALL_SHERPA } from "../sherpa/findSherpa.js"
import { type SherpaModel, sherpaModel } from "../sherpa/SherpaModel.js"
import type { EngineSettings } from "./EngineSettings.js"

/** The engine that was picked, with what it runs on, and why in a sentence. */
export type EngineChoice = { readonly why: string } & (
  | { readonly engine: "sherpa"; readonly models: ReadonlyArray<SherpaModel> }
  | { readonly engine: "whisper"; readonly command: string; readonly model: string }
  | { readonly engine: "openai"; readonly url: string }
  | { readonly engine: "pocketsphinx"; readonly command: string }
  | { readonly engine: null }
)

/** The three ways to get an engine: what every failure for want of one says. */
export const NO_ENGINE =
  "No speech engine is here. Get one of three ways: `sudo apt-get install pocketsphinx pocketsphinx-en-us` (English drafts, no download); " +
  "`npm install sherpa-onnx-node` and `earmark models pull parakeet-tdt-0.6b-v3 --accept-licence`; " +
  "or set EARMARK_OPENAI_URL to an OpenAI-compatible endpoint."

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

/** Whether sherpa-onnx can be run, and on what. */
const findSherpaModels = Effect.fnUntraced(function* ({ modelsFolder }: EngineSettings) {
  const models = findSherpa() === null ? [] : yield* presentModels(modelsFolder)
  if (models.length === 0) return null
  const names = models.map(({ id }) => id).join(", ")
  const why = `sherpa-onnx is installed, and its models ${names} are in ${modelsFolder}.`
  const choice: EngineChoice = { engine: "sherpa", models, why }
  return choice
})

const findWhisper = Effect.fnUntraced(function* (settings: EngineSettings) {
  const command = yield* findProgram(settings.whisperCommand)
  const model = settings.whisperModel ?? (yield* presentGgml(settings.modelsFolder))
  if (command === null || model === undefined || !(yield* isThere(model))) return null
  const why = `whisper.cpp is at ${command}, with the model ${basename(model)}.`
  const choice: EngineChoice = { engine: "whisper", command, model, why }
  return choice
})

const findEndpoint = ({ httpUrl }: EngineSettings) =>
  Effect.sync((): EngineChoice | null => {
    if (httpUrl === undefined) return null
    const host = URL.canParse(httpUrl) ? new URL(httpUrl).host : httpUrl
    return { engine: "openai", url: httpUrl, why: `EARMARK_OPENAI_URL names an endpoint at ${host}.` }
  })

const findPocketSphinx = Effect.fnUntraced(function* (settings: EngineSettings) {
  const command = yield* findProgram(settings.pocketsphinxCommand)
  const missing = yield* missingModelFiles(settings.pocketsphinxModel)
  if (command === null || missing.length > 0) return null
  const why = `pocketsphinx is at ${command}: expect an English draft.`
  const choice: EngineChoice = { engine: "pocketsphinx", command, why }
  return choice
})

/** What is heard well before what is heard quickly, and before a draft. */
const finders = {
  sherpa: findSherpaModels,
  whisper: findWhisper,
  openai: findEndpoint,
  pocketsphinx: findPocketSphinx,
}

export type EngineName = keyof typeof finders

export const engineNames = Struct.keys(finders)

/** How to get each engine, when it was asked for and is not here. */
const LACKING: Readonly<Record<EngineName, string>> = {
  sherpa: `sherpa-onnx, or a model for it, is not here: \`${INSTALL_SHERPA}\` and \`earmark models pull parakeet-tdt-0.6b-v3 --accept-licence\`.`,
  whisper: "whisper.cpp, or a model for it, is not here: set EARMARK_WHISPER and EARMARK_WHISPER_MODEL.",
  openai: "There is no endpoint: set EARMARK_OPENAI_URL.",
  pocketsphinx: "pocketsphinx is not here: `sudo apt-get install pocketsphinx pocketsphinx-en-us`.",
}

/** The engine that was asked for, or the best that is here. */
export const chooseEngine = Effect.fn("chooseEngine")(function* (
  settings: EngineSettings,
  wanted: EngineName | "auto" = "auto",
): Effect.fn.Return<EngineChoice> {
  for (const name of wanted === "auto" ? engineNames : [wanted]) {
    const choice = yield* finders[name](settings)
    if (choice !== null) return choice
  }
  return { engine: null, why: wanted === "auto" ? NO_ENGINE : LACKING[wanted] }
})
