import { englishNameOf } from "@earmark/core/text"
import type { SherpaFiles } from "./SherpaModel.js"

/** What is seen of a folder that may have a model in it. */
export interface ModelFolder {
  /** Of the folder itself. */
  readonly name: string
  readonly files: ReadonlyArray<string>
  /** The list of tokens, where there is one. */
  readonly tokens: string
}

/** What a folder looks like: names of files, the likeliest family first. */
export interface Layout {
  readonly candidates: ReadonlyArray<SherpaFiles>
  readonly tokens: string
  /** Null where neither the files nor the folder say it. */
  readonly languages: "any" | ReadonlyArray<string> | null
}

type Kind = SherpaFiles["kind"]

/** The families as people know them. */
export const familyOf: Readonly<Record<Kind, string>> = {
  transducer: "zipformer transducer",
  nemoTransducer: "NeMo transducer (Parakeet)",
  whisper: "Whisper",
  moonshine: "Moonshine 1",
  moonshineMerged: "Moonshine 2",
  senseVoice: "SenseVoice",
  paraformer: "Paraformer",
  nemoCtc: "NeMo CTC (Parakeet)",
  zipformerCtc: "zipformer CTC",
}

const WEIGHTS = /\.(?:onnx|ort)$/i
const isSmall = (name: string) => /int8|quant/i.test(name)

/** The file for a part of a model; of several precisions the quick one. */
const pick = (files: ReadonlyArray<string>, part: RegExp): string | undefined => {
  const fitting = files.filter((name) => WEIGHTS.test(name) && part.test(name))
  return fitting.find(isSmall) ?? fitting[0]
}

const MOONSHINE = {
  preprocessor: /^preprocess/i,
  encoder: /^encode[._-]/i,
  uncachedDecoder: /^uncached_decode/i,
  cachedDecoder: /^cached_decode/i,
}

/** Models of several files are known by the names of their parts. */
const bySeveral = (files: ReadonlyArray<string>, hint: string): ReadonlyArray<SherpaFiles> => {
  const [preprocessor, encode, uncachedDecoder, cachedDecoder] = Object.values(MOONSHINE).map((part) =>
    pick(files, part),
  )
  if (preprocessor && encode && uncachedDecoder && cachedDecoder)
    return [{ kind: "moonshine", preprocessor, encoder: encode, uncachedDecoder, cachedDecoder }]
  const merged = pick(files, /merged/i)
  const encoder = pick(files, /encoder/i)
  if (encoder && merged) return [{ kind: "moonshineMerged", encoder, mergedDecoder: merged }]
  const decoder = pick(files, /decoder/i)
  const joiner = pick(files, /joiner/i)
  if (encoder === undefined || decoder === undefined) return []
  if (joiner === undefined) return [{ kind: "whisper", encoder, decoder }]
  const parts = { encoder, decoder, joiner }
  const kinds: ReadonlyArray<"transducer" | "nemoTransducer"> =
    /nemo|parakeet|fastconformer/i.test(hint) || /^encoder(?:\.int8)?\.onnx$/.test(encoder)
      ? ["nemoTransducer", "transducer"]
      : ["transducer", "nemoTransducer"]
  return kinds.map((kind) => ({ kind, ...parts }))
}

/** Models of one file all look alike: their tokens and the name of the folder tell them apart. */
const bySingle = (model: string, hint: string, tokens: string): ReadonlyArray<SherpaFiles> => {
  const kinds: ReadonlyArray<"senseVoice" | "paraformer" | "nemoCtc" | "zipformerCtc"> = [
    "senseVoice",
    "paraformer",
    "nemoCtc",
    "zipformerCtc",
  ]
  const signs = {
    senseVoice: /sense.?voice/i.test(hint) || /<\|(?:nospeech|withitn|HAPPY)\|>/.test(tokens),
    paraformer: /paraformer/i.test(hint) || /@@ \d+$/m.test(tokens),
    nemoCtc: /nemo|parakeet|fastconformer|citrinet/i.test(hint) || /<blk> [1-9]\d*\s*$/.test(tokens),
    zipformerCtc: /zipformer/i.test(hint) || /^<blk> 0$/m.test(tokens),
  }
  const likely = kinds.filter((kind) => signs[kind])
  return [...likely, ...kinds.filter((kind) => !signs[kind])].map((kind) => ({ kind, model }))
}

const PARAKEET_3 = "bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro ru sk sl es sv uk".split(" ")

/** Names that publishers give; in any other one `my` is hardly Burmese. */
const PUBLISHED = /sherpa-onnx|icefall|zipformer|paraformer|moonshine|nemo|parakeet/i

/** Languages that the name of a folder or file tells: `sherpa-onnx-zipformer-zh-en-2023` is one of two. */
const languagesInName = (hint: string): ReadonlyArray<string> => {
  if (!PUBLISHED.test(hint)) return []
  const parts = hint.split(/[^A-Za-z0-9]+/).filter((part) => /^(?:[a-z]{2}|yue)$/.test(part))
  return [...new Set(parts.filter((part) => englishNameOf(part) !== undefined))]
}

const languagesOf = (kind: Kind, hint: string, weights: string): Layout["languages"] => {
  if (kind === "senseVoice") return ["zh", "en", "ja", "ko", "yue"]
  if (kind === "whisper") return /\.en\b|[._-]en[._-]/.test(weights) ? ["en"] : "any"
  if (/parakeet/i.test(hint) && /v3/i.test(hint)) return PARAKEET_3
  if (/parakeet/i.test(hint) && /v2/i.test(hint)) return ["en"]
  const named = languagesInName(hint)
  return named.length === 0 ? null : named
}

/** What kind of model is in a folder; a sentence where there is none that Earmark can use. */
export const recogniseLayout = ({ name, files, tokens }: ModelFolder): Layout | string => {
  const weights = files.filter((file) => WEIGHTS.test(file))
  if (weights.length === 0) return "It has no model files (.onnx or .ort)."
  const list = files.find((file) => /(?:^|[-_.])tokens\.txt$/.test(file))
  if (list === undefined) return "It has no list of tokens (tokens.txt)."
  if (weights.some((file) => /chunk-\d+/i.test(file)))
    return "It is a streaming model, and Earmark hears whole sentences: take the one that is not streaming."
  const hint = `${name} ${weights.join(" ")}`
  const several = bySeveral(weights, hint)
  const single = pick(weights, /^(?!.*(?:encoder|decoder|joiner|encode|preprocess)).*$/i)
  const candidates = several.length > 0 || single === undefined ? several : bySingle(single, hint, tokens)
  const [likeliest] = candidates
  if (likeliest === undefined)
    return `Its files (${weights.join(", ")}) are those of no family that Earmark knows.`
  return { candidates, tokens: list, languages: languagesOf(likeliest.kind, hint, weights.join(" ")) }
}
