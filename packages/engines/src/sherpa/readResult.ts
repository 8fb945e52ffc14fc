import { warningOf } from "@earmark/core/jobs"
import { hasUnspaced, languageCodeOf } from "@earmark/core/text"
import { spreadWords } from "@earmark/core/transcripts"
import { Option, Schema } from "effect"
import type { Heard, HeardWord } from "../heard.js"

const Result = Schema.Struct({
  text: Schema.String,
  tokens: Schema.optional(Schema.Array(Schema.String)),
  timestamps: Schema.optional(Schema.Array(Schema.Number)),
  durations: Schema.optional(Schema.Array(Schema.Number)),
  lang: Schema.optional(Schema.String),
})
type Result = typeof Result.Type

const decode = Schema.decodeUnknownOption(Result)

/** How long the last word of a window may last when nothing tells. */
const LAST_WORD = 400
const WORD_MARK = /^[ \u2581]/
const UNFINISHED = "@@"
const CONTROL = /^<\|?.*\|?>$/

const milliseconds = (seconds: number) => Math.round(seconds * 1000)

/** Tokens joined to words at the mark before a word. A token lasts to the next one, or as long as it says. */
const joinTokens = (
  { tokens = [], timestamps = [], durations = [] }: Result,
  length: number,
): ReadonlyArray<HeardWord> => {
  const words: Array<HeardWord> = []
  tokens.forEach((token, at) => {
    if (CONTROL.test(token)) return
    const start = milliseconds(timestamps[at] ?? 0)
    const next = timestamps[at + 1]
    const duration = durations[at]
    const lasting = duration === undefined ? LAST_WORD : milliseconds(duration)
    const end = Math.min(
      length,
      next === undefined || duration !== undefined ? start + lasting : milliseconds(next),
    )
    const text = token.replace(WORD_MARK, "")
    const last = words.at(-1)
    if (last !== undefined && !WORD_MARK.test(token) && !hasUnspaced(token)) {
      words[words.length - 1] = { ...last, text: last.text + text, end: Math.max(start, end) }
    } else {
      words.push({ text, start, end: Math.max(start, end), confidence: null })
    }
  })
  return words.filter(({ text }) => text.trim() !== "")
}

/** Makes words of what sherpa-onnx found in a window of so many milliseconds; null when it is no result. */
export const readResult = (answer: unknown, length: number): Heard | null => {
  const result = Option.getOrNull(decode(answer))
  if (result === null) return null
  const { text, tokens = [], timestamps = [], lang = "" } = result
  const code = languageCodeOf(lang.replace(/[<|>]/g, ""))
  const language = code === null ? null : { code, confidence: 1 }
  // Paraformer marks what goes on instead of what begins: its tokens are no words to join.
  const isTimed =
    tokens.length > 0 &&
    tokens.length === timestamps.length &&
    !tokens.some((token) => token.endsWith(UNFINISHED))
  if (isTimed) return { words: joinTokens(result, length), language, warnings: [] }
  if (text.trim() === "") return { words: [], language, warnings: [] }
  const words = spreadWords({ text: text.trim(), start: 0, end: length, speaker: null })
  return { words, language, warnings: [warningOf("no_word_times")] }
}
