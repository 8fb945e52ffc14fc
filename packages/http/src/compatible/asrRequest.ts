import { languageCodeOf } from "@earmark/core/text"
import { Either } from "effect"
import { invalid, type Refusal } from "../answers/Refusal.js"
import type { Wanted } from "./hearing.js"
import { vocabularyOf } from "./vocabularyOf.js"

const OUTPUTS = ["txt", "vtt", "srt", "tsv", "json"] as const
type Output = (typeof OUTPUTS)[number]

export interface AsrRequest extends Wanted {
  readonly output: Output
  readonly hasWords: boolean
}

type Query = Readonly<Record<string, string>>

const isOutput = (text: string): text is Output => OUTPUTS.some((name) => name === text)

const isTrue = (text: string | undefined): boolean => /^(?:true|1|yes|on)$/i.test(text ?? "")

/** Only what was written out: the file is to be decoded unless a client says that it has done so. */
const isFalse = (text: string | undefined): boolean => /^(?:false|0|no|off)$/i.test(text ?? "")

const languageOf = (language: string | undefined): string | undefined =>
  language === undefined || language === "" ? undefined : (languageCodeOf(language) ?? language)

const countOf = (text: string | undefined): number | undefined =>
  text === undefined || !/^\d{1,3}$/.test(text) ? undefined : Number(text)

const speakersOf = ({ min_speakers, max_speakers }: Query) => {
  const min = countOf(min_speakers)
  const max = countOf(max_speakers)
  return min === undefined && max === undefined
    ? {}
    : { speakers: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) } }
}

/** The file is seldom called by its name; some clients say in the query what it is of. */
const nameIn = ({ video_file }: Query): string | undefined => video_file?.split("/").at(-1)

/** Reads the query of `/asr`. Parameters that mean nothing here are left alone. */
export const asrRequest = (query: Query): Either.Either<AsrRequest, Refusal> => {
  const { task = "transcribe", output = "txt", initial_prompt = "" } = query
  if (task !== "transcribe" && task !== "translate")
    return Either.left(invalid("#/task", "task must be transcribe or translate"))
  if (!isOutput(output))
    return Either.left(invalid("#/output", `output must be one of ${OUTPUTS.join(", ")}`))
  const language = languageOf(query.language)
  const vocabulary = vocabularyOf(initial_prompt)
  const diarize = isTrue(query.diarize)
  return Either.right({
    task,
    output,
    hasWords: isTrue(query.word_timestamps),
    isRaw: isFalse(query.encode),
    filename: nameIn(query),
    options: {
      ...(language !== undefined && { language }),
      ...(vocabulary.length > 0 && { vocabulary }),
      ...(diarize && { diarize, ...speakersOf(query) }),
      ...(task === "translate" && { translate_to: "en" }),
    },
  })
}

/** So much of a recording is heard to tell its language, in seconds. */
const EXCERPT = 30

export const detectRequest = (query: Query): Wanted => ({
  task: "transcribe",
  isRaw: isFalse(query.encode),
  filename: nameIn(query),
  options: { end_at: EXCERPT },
})
