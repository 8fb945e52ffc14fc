import { languageCodeOf } from "@earmark/core/text"
import { Either } from "effect"
import { invalid, type Refusal } from "../answers/Refusal.js"
import type { Form } from "../requests/readForm.js"
import type { Wanted } from "./hearing.js"
import { vocabularyOf } from "./vocabularyOf.js"

const FORMATS = ["json", "text", "srt", "vtt", "verbose_json", "diarized_json"] as const
type Format = (typeof FORMATS)[number]

const GRANULARITIES = ["segment", "word"] as const
type Granularity = (typeof GRANULARITIES)[number]

/** What a form of OpenAI's protocol asks for. Fields that mean nothing here are left alone, for there are many. */
export interface OpenAiRequest extends Wanted {
  readonly format: Format
  readonly granularities: ReadonlyArray<Granularity>
  readonly isStreamed: boolean
}

const isOneOf =
  <Name extends string>(names: ReadonlyArray<Name>) =>
  (text: string): text is Name =>
    names.some((name) => name === text)

const isFormat = isOneOf(FORMATS)
const isGranularity = isOneOf(GRANULARITIES)

const QUALITIES: Readonly<Record<string, string>> = { "earmark-fast": "fast", "earmark-accurate": "accurate" }

const qualityOf = (model: string): string | undefined =>
  Object.hasOwn(QUALITIES, model) ? QUALITIES[model] : undefined

const given = ({ fields }: Pick<Form, "fields">, ...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.flatMap((name) => fields.get(name) ?? []).filter((value) => value.trim() !== "")

const oneOf = (names: ReadonlyArray<string>): string => names.join(", ")

/** Reads the fields of a form for one of the two tasks. */
export const openAiRequest =
  (task: Wanted["task"]) =>
  (fields: Form["fields"]): Either.Either<OpenAiRequest, Refusal> => {
    const [format = "json"] = given({ fields }, "response_format")
    const granularities = given({ fields }, "timestamp_granularities[]", "timestamp_granularities")
    const [language] = given({ fields }, "language")
    const [prompt = ""] = given({ fields }, "prompt")
    const [model = ""] = given({ fields }, "model")
    const isStreamed =
      task === "transcribe" && given({ fields }, "stream").some((value) => /^(?:true|1)$/i.test(value))
    if (!isFormat(format))
      return Either.left(invalid("#/response_format", `response_format must be one of ${oneOf(FORMATS)}`))
    if (!granularities.every(isGranularity)) {
      const detail = `timestamp_granularities[] must be one or both of ${oneOf(GRANULARITIES)}`
      return Either.left(invalid("#/timestamp_granularities[]", detail))
    }
    if (isStreamed && format !== "json" && format !== "text")
      return Either.left(
        invalid("#/stream", "A stream has text alone: leave response_format out, or give json"),
      )
    const quality = qualityOf(model)
    const vocabulary = vocabularyOf(prompt)
    return Either.right({
      task,
      format,
      granularities: granularities.length === 0 ? ["segment"] : granularities,
      isStreamed,
      options: {
        ...(language !== undefined && { language: languageCodeOf(language) ?? language }),
        ...(vocabulary.length > 0 && { vocabulary }),
        ...(quality !== undefined && { quality }),
        ...(format === "diarized_json" && { diarize: true }),
        ...(task === "translate" && { translate_to: "en" }),
      },
    })
  }
