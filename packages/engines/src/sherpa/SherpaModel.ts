import { join } from "node:path"
import { catalogue } from "../models/catalogue.js"
import type { Model } from "../models/Model.js"

/** Paths of the files that each family of models has. */
export type SherpaFiles =
  | {
      readonly kind: "transducer"
      readonly encoder: string
      readonly decoder: string
      readonly joiner: string
    }
  | { readonly kind: "whisper"; readonly encoder: string; readonly decoder: string }
  | {
      readonly kind: "moonshine"
      readonly preprocessor: string
      readonly encoder: string
      readonly uncachedDecoder: string
      readonly cachedDecoder: string
    }
  | { readonly kind: "moonshineMerged"; readonly encoder: string; readonly mergedDecoder: string }
  | { readonly kind: "senseVoice"; readonly model: string }

/** A model that sherpa-onnx runs, on disk. */
export interface SherpaModel {
  readonly id: string
  readonly files: SherpaFiles
  readonly tokens: string
  readonly languages: "any" | ReadonlyArray<string>
  readonly needBytes: number
}

const SENSE_VOICE_LANGUAGES = ["zh", "en", "ja", "ko"]

/** A SenseVoice model is not in the catalogue: nobody publishes checksums of single files. It is named by its paths. */
export const senseVoice = (model: string, tokens: string): SherpaModel => ({
  id: "sense-voice",
  files: { kind: "senseVoice", model },
  tokens,
  languages: SENSE_VOICE_LANGUAGES,
  needBytes: 1024 ** 3,
})

const filesOf = (model: Model, folder: string): SherpaFiles | null => {
  const paths = model.files.map(({ name }) => join(folder, model.id, name))
  const [first = "", second = "", third = "", fourth = ""] = paths
  switch (model.use) {
    case "transducer":
      return { kind: "transducer", encoder: first, decoder: second, joiner: third }
    case "whisper":
      return { kind: "whisper", encoder: first, decoder: second }
    case "moonshine":
      return {
        kind: "moonshine",
        preprocessor: first,
        encoder: second,
        uncachedDecoder: third,
        cachedDecoder: fourth,
      }
    case "moonshine-merged":
      return { kind: "moonshineMerged", encoder: first, mergedDecoder: second }
    default:
      return null
  }
}

/** A model of the catalogue, as sherpa-onnx takes it from the folder of models; null for one that it does not run. */
export const sherpaModel = (model: Model, folder: string): SherpaModel | null => {
  const files = filesOf(model, folder)
  const tokens = model.files.at(-1)?.name ?? ""
  if (files === null) return null
  return {
    id: model.id,
    files,
    tokens: join(folder, model.id, tokens),
    languages: model.languages,
    needBytes: model.needBytes,
  }
}

const BEST_FIRST = {
  fast: [
    "moonshine-tiny",
    "moonshine-base",
    "moonshine-base-en",
    "whisper-tiny.en",
    "whisper-small",
    "sense-voice",
    "parakeet-tdt-0.6b-v3",
    "whisper-turbo",
  ],
  accurate: [
    "parakeet-tdt-0.6b-v3",
    "whisper-turbo",
    "whisper-small",
    "sense-voice",
    "moonshine-base",
    "moonshine-base-en",
    "moonshine-tiny",
    "whisper-tiny.en",
  ],
}

/** Of the models at hand the one for a language and a quality. A language that is to be detected needs a model of several. */
export const pickModel = (
  models: ReadonlyArray<SherpaModel>,
  language: string | null,
  quality: "fast" | "accurate",
): SherpaModel | undefined => {
  const fits = ({ languages }: SherpaModel) =>
    languages === "any" || (language === null ? languages.length > 1 : languages.includes(language))
  const order = BEST_FIRST[quality]
  const ranked = models
    .filter((model) => fits(model))
    .sort((left, right) => order.indexOf(left.id) - order.indexOf(right.id))
  return ranked[0] ?? (language === null ? models[0] : undefined)
}

/** Every model of the catalogue that sherpa-onnx could run from a folder. */
export const sherpaModels = (folder: string): ReadonlyArray<SherpaModel> =>
  catalogue.flatMap((model) => sherpaModel(model, folder) ?? [])

/** What `OfflineRecognizer` is made with. */
export const configOf = ({ files, tokens }: SherpaModel, language: string | null) => {
  const { kind, ...paths } = files
  const given = {
    transducer: { transducer: paths, modelType: "nemo_transducer" },
    whisper: { whisper: { ...paths, language: language ?? "", task: "transcribe", tailPaddings: -1 } },
    moonshine: { moonshine: paths },
    moonshineMerged: { moonshine: paths },
    senseVoice: { senseVoice: { ...paths, language: language ?? "auto", useInverseTextNormalization: 1 } },
  }[kind]
  return {
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: { ...given, tokens, numThreads: 1, provider: "cpu", debug: 0 },
    decodingMethod: "greedy_search",
  }
}
