import { basename, join } from "node:path"
import { englishNameOf } from "@earmark/core/text"
import { Effect, Struct } from "effect"
import { languageName } from "../chat/languageName.js"
import { isThere } from "../files.js"
import { baseOf, knowsLanguage } from "../languages.js"
import { catalogue } from "../models/catalogue.js"
import { downloadBytesOf, stateOf } from "../models/Models.js"
import { missingModelFiles } from "../pocketsphinx/PocketSphinx.js"
import { findProgram } from "../programs/findProgram.js"
import { capital, type EngineSettingNames, SettingNames } from "../SettingNames.js"
import { findSherpa, INSTALL_SHERPA } from "../sherpa/findSherpa.js"
import { pickModel, type SherpaModel, sherpaModel } from "../sherpa/SherpaModel.js"
import { isEnglishOnly } from "../whisper/WhisperCpp.js"
import type { EngineSettings } from "./EngineSettings.js"
import { faultOf, type Present, presentModels } from "./presentModels.js"

type Found = { readonly why: string } & (
  | { readonly engine: "sherpa"; readonly models: ReadonlyArray<SherpaModel> }
  | { readonly engine: "whisper"; readonly command: string; readonly model: string }
  | { readonly engine: "openai"; readonly url: string }
  | { readonly engine: "pocketsphinx"; readonly command: string }
)

/** The engine that was picked, with what it runs on, and why in a sentence. */
export type EngineChoice = (Found | { readonly engine: null; readonly why: string }) & {
  /** A sentence for each model that is there, would have been used, and cannot be. */
  readonly faults: ReadonlyArray<string>
}

/** The three ways to get an engine: what every failure for want of one says. */
const noEngine = ({ httpUrl }: EngineSettingNames): string =>
  "No speech engine is here. Get one of three ways: `earmark models pull moonshine-base silero-vad` (English; " +
  "with `npm install sherpa-onnx-node` where that is missing); `sudo apt-get install pocketsphinx pocketsphinx-en-us` (English drafts, no download); " +
  `or set ${httpUrl} to an OpenAI-compatible endpoint.`

const nothing: Present<Found | null> = { found: null, faults: [] }

/** The largest model for whisper.cpp in the folder. */
const presentGgml = Effect.fnUntraced(function* (folder: string) {
  const faults: Array<string> = []
  for (const model of catalogue.filter(({ use }) => use === "whisper.cpp").toReversed()) {
    const [file] = model.files
    const state = yield* stateOf(folder, model)
    const fault = faultOf(model, state, folder)
    if (fault !== null) faults.push(fault)
    if (file !== undefined && state === "present") return { found: join(folder, model.id, file.name), faults }
  }
  return { found: undefined, faults }
})

/** Whether sherpa-onnx can be run, and on what. */
const findSherpaModels = Effect.fnUntraced(function* (settings: EngineSettings, language: string | null) {
  if (findSherpa() === null) return nothing
  const { found: models, faults } = yield* presentModels(settings)
  if (pickModel(models, language, "accurate") === undefined) return { found: null, faults }
  const names = models.map(({ id }) => id).join(", ")
  const why = `sherpa-onnx is installed, and its models ${names} are in ${settings.modelsFolder}.`
  const found: Found = { engine: "sherpa", models, why }
  return { found, faults }
})

const findWhisper = Effect.fnUntraced(function* (settings: EngineSettings, language: string | null) {
  const command = yield* findProgram(settings.whisperCommand)
  if (command === null) return nothing
  const { found: pulled, faults } = yield* presentGgml(settings.modelsFolder)
  const model = settings.whisperModel ?? pulled
  if (model === undefined || !(yield* isThere(model))) return { found: null, faults }
  if (language !== null && language !== "en" && isEnglishOnly(model)) return { found: null, faults }
  const why = `whisper.cpp is at ${command}, with the model ${basename(model)}.`
  const found: Found = { engine: "whisper", command, model, why }
  return { found, faults: settings.whisperModel === undefined ? faults : [] }
})

const findEndpoint = ({ httpUrl }: EngineSettings) =>
  Effect.map(SettingNames, (names): Present<Found | null> => {
    if (httpUrl === undefined) return nothing
    const host = URL.canParse(httpUrl) ? new URL(httpUrl).host : httpUrl
    const why = `${capital(names.httpUrl)} names an endpoint at ${host}.`
    return { found: { engine: "openai", url: httpUrl, why }, faults: [] }
  })

const findPocketSphinx = Effect.fnUntraced(function* (settings: EngineSettings, language: string | null) {
  const command = yield* findProgram(settings.pocketsphinxCommand)
  const missing = yield* missingModelFiles(settings.pocketsphinxModel)
  if (command === null || missing.length > 0) return nothing
  if (language !== null && !knowsLanguage(["en"], language)) return nothing
  const why = `pocketsphinx is at ${command}: expect an English draft.`
  const found: Found = { engine: "pocketsphinx", command, why }
  return { found, faults: [] }
})

/** What is heard well before what is heard quickly, and before a draft. */
const finders = {
  sherpa: findSherpaModels,
  whisper: findWhisper,
  openai: findEndpoint,
  pocketsphinx: findPocketSphinx,
}

export type EngineName = keyof typeof finders

const engineNames = Struct.keys(finders)

/** How to get each engine, when it was asked for and is not here. */
export const lacking = (names: EngineSettingNames): Readonly<Record<EngineName, string>> => ({
  sherpa: `sherpa-onnx, or a model for it, is not here: \`${INSTALL_SHERPA}\` where it is missing, and \`earmark models pull moonshine-base silero-vad\` (English) or another of \`earmark models list\`.`,
  whisper: `whisper.cpp, or a model for it, is not here: set ${names.whisperCommand} and ${names.whisperModel}.`,
  openai: `No endpoint is set: set ${names.httpUrl}.`,
  pocketsphinx: "pocketsphinx is not here: `sudo apt-get install pocketsphinx pocketsphinx-en-us`.",
})

const MEGABYTE = 1_000_000
/** What to get for English: there are larger ones that hardly hear better. */
const ENGLISH = "moonshine-base"

/** What to do about a language that no engine here knows. */
const speechless = (
  language: string,
  wanted: EngineName | "auto",
  folder: string,
  { httpUrl }: EngineSettingNames,
): string => {
  const who = wanted === "auto" ? "No speech engine here knows" : `What ${wanted} has here does not know`
  const base = baseOf(language)
  if (englishNameOf(base) === undefined)
    return `Unknown language "${language}". Use a code such as en, de or pt-BR.`
  const sentence = `${who} ${languageName(language)}.`
  const known = catalogue.filter(({ files }) => files.every(({ sha256 }) => sha256 !== null))
  const runnable = known.flatMap((model) => sherpaModel(model, folder) ?? [])
  const best = base === "en" ? ENGLISH : pickModel(runnable, base, "accurate")?.id
  const model = known.find(({ id }) => id === best)
  if (model === undefined) return sentence
  const megabytes = Math.round(downloadBytesOf(model) / MEGABYTE)
  const accept = model.mustAccept ? " --accept-licence" : ""
  return `${sentence} Get a model that does with \`earmark models pull ${model.id}${accept}\` (${megabytes} MB), or set ${httpUrl} to an endpoint that does.`
}

/** The engine that was asked for, or the best that is here, for recordings in a language where one is given. */
export const chooseEngine = Effect.fn("chooseEngine")(function* (
  settings: EngineSettings,
  wanted: EngineName | "auto" = "auto",
  language: string | null = null,
): Effect.fn.Return<EngineChoice> {
  const base = language === null ? null : baseOf(language)
  const names = yield* SettingNames
  const faults: Array<string> = []
  for (const name of wanted === "auto" ? engineNames : [wanted]) {
    const looked = yield* finders[name](settings, base)
    faults.push(...looked.faults)
    if (looked.found !== null) return { ...looked.found, faults }
  }
  // Without an engine for any language, the language is not what is missing.
  const other = language === null ? null : yield* chooseEngine(settings, wanted)
  if (language !== null && other !== null && (other.engine !== null || baseOf(language) !== "en"))
    return { engine: null, why: speechless(language, wanted, settings.modelsFolder, names), faults }
  if (wanted === "auto") return { engine: null, why: [...faults, noEngine(names)].join(" "), faults }
  // What ails a model that is there says more than that one is missing.
  return { engine: null, why: faults.length > 0 ? faults.join(" ") : lacking(names)[wanted], faults }
})
