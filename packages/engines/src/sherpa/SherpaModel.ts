import { join } from "node:path"
import { catalogue } from "../models/catalogue.js"
import type { Model } from "../models/Model.js"

/** Paths of the files that each family of models has. */
export type SherpaFiles =
  | {
      readonly kind: "transducer" | "nemoTransducer"
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
  | { readonly kind: "senseVoice" | "paraformer" | "nemoCtc" | "zipformerCtc"; readonly model: string }

/** A model that sherpa-onnx runs, on disk. */
export interface SherpaModel {
  readonly id: string
  readonly files: SherpaFiles
  readonly tokens: string
  readonly languages: "any" | ReadonlyArray<string>
  readonly needBytes: number
  /** Somebody chose it: it comes before all others for the languages that it knows. */
  readonly isChosen?: boolean
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
      return { kind: "nemoTransducer", encoder: first, decoder: second, joiner: third }
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
  const fits = ({ languages, isChosen = false }: SherpaModel) =>
    languages === "any" ||
    (language === null ? languages.length > 1 || isChosen : languages.includes(language))
  const order = BEST_FIRST[quality]
  // Of a model that nobody has measured nothing is known: it comes last, unless it was chosen.
  const rankOf = ({ id, isChosen = false }: SherpaModel) => {
    if (isChosen) return -1
    const rank = order.indexOf(id)
    return rank < 0 ? order.length : rank
  }
  const bestFirst = (left: SherpaModel, right: SherpaModel) => rankOf(left) - rankOf(right)
  const [best] = models.filter(fits).sort(bestFirst)
  return best ?? (language === null ? [...models].sort(bestFirst)[0] : undefined)
}

/** The quickest of those that say which of several languages they heard. */
export const detectorAmong = (models: ReadonlyArray<SherpaModel>): SherpaModel | undefined =>
  pickModel(
    models.filter(
      ({ files, languages }) =>
        files.kind === "senseVoice" || (files.kind === "whisper" && languages === "any"),
    ),
    null,
    "fast",
  )

/** Every model that may be picked for a window: where the language is detected, for each that it may turn out to be. */
export const modelsFor = (
  models: ReadonlyArray<SherpaModel>,
  language: string | null,
  quality: "fast" | "accurate",
): ReadonlyArray<SherpaModel> => {
  const isDetected = language === null && detectorAmong(models) !== undefined
  const codes = models.flatMap(({ languages }) => (languages === "any" ? [] : languages))
  return [language, ...(isDetected ? codes : [])].flatMap((code) => pickModel(models, code, quality) ?? [])
}

/** Every model of the catalogue that sherpa-onnx could run from a folder. */
export const sherpaModels = (folder: string): ReadonlyArray<SherpaModel> =>
  catalogue.flatMap((model) => sherpaModel(model, folder) ?? [])

/** What `OfflineRecognizer` is made with. */
export const configOf = ({ files, tokens }: SherpaModel, language: string | null) => {
  const { kind, ...paths } = files
  const given = {
    transducer: { transducer: paths, modelType: "transducer" },
    nemoTransducer: { transducer: paths, modelType: "nemo_transducer" },
    whisper: { whisper: { ...paths, language: language ?? "", task: "transcribe", tailPaddings: -1 } },
    moonshine: { moonshine: paths },
    moonshineMerged: { moonshine: paths },
    senseVoice: { senseVoice: { ...paths, language: language ?? "auto", useInverseTextNormalization: 1 } },
    paraformer: { paraformer: paths },
    nemoCtc: { nemoCtc: paths },
    zipformerCtc: { zipformerCtc: paths },
  }[kind]
  return {
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: { ...given, tokens, numThreads: 1, provider: "cpu", debug: 0 },
    decodingMethod: "greedy_search",
  }
}
