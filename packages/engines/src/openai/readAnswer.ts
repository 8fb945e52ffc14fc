import { warningOf } from "@earmark/core/jobs"
import { languageCodeOf } from "@earmark/core/text"
import { spreadWords } from "@earmark/core/transcripts"
import { Option, Schema } from "effect"
import type { Heard, HeardWord } from "../heard.js"

// Servers disagree about where words are, and about nearly every field being there.
const Seconds = Schema.Number

const Piece = Schema.Struct({
  word: Schema.String,
  start: Seconds,
  end: Seconds,
  probability: Schema.optional(Schema.NullOr(Schema.Number)),
})

const Segment = Schema.Struct({
  text: Schema.String,
  start: Seconds,
  end: Seconds,
  words: Schema.optional(Schema.NullOr(Schema.Array(Piece))),
})

const Answer = Schema.Struct({
  text: Schema.String,
  language: Schema.optional(Schema.NullOr(Schema.String)),
  words: Schema.optional(Schema.NullOr(Schema.Array(Piece))),
  segments: Schema.optional(Schema.NullOr(Schema.Array(Segment))),
})

const decode = Schema.decodeUnknownOption(Schema.parseJson(Answer))

const milliseconds = (seconds: number) => Math.round(seconds * 1000)

/** Some servers hand out pieces of words: then only a piece with a blank before it begins a word. */
const joinPieces = (pieces: ReadonlyArray<typeof Piece.Type>): ReadonlyArray<HeardWord> => {
  const isInPieces = pieces.some(({ word }) => word.startsWith(" "))
  const words: Array<HeardWord> = []
  for (const { word, start, end, probability } of pieces) {
    const confidence = probability ?? null
    const last = words.at(-1)
    if (isInPieces && !word.startsWith(" ") && last !== undefined) {
      const least =
        confidence === null || last.confidence === null ? null : Math.min(confidence, last.confidence)
      words[words.length - 1] = {
        ...last,
        text: last.text + word,
        end: milliseconds(end),
        confidence: least,
      }
    } else {
      words.push({ text: word.trim(), start: milliseconds(start), end: milliseconds(end), confidence })
    }
  }
  return words.filter(({ text }) => text !== "")
}

/** Makes words of what a transcription endpoint answered about a window of so many milliseconds; null when it is no answer. */
export const readAnswer = (body: string, length: number, isDetecting: boolean): Heard | null => {
  const answer = Option.getOrNull(decode(body))
  if (answer === null) return null
  const { text, segments, language } = answer
  const pieces = answer.words ?? segments?.flatMap(({ words }) => words ?? []) ?? []
  const code = isDetecting ? languageCodeOf(language ?? "") : null
  const told = code === null ? null : { code, confidence: 1 }
  const noLanguage = isDetecting && told === null ? [warningOf("language_guessed")] : []
  if (text.trim() === "" && pieces.length === 0) return { words: [], language: told, warnings: noLanguage }
  if (pieces.length > 0) {
    const words = joinPieces(pieces)
    const unsure = words.some(({ confidence }) => confidence === null)
    return {
      words,
      language: told,
      warnings: [...(unsure ? [warningOf("no_confidence")] : []), ...noLanguage],
    }
  }
  const whole = { text, start: 0, end: length / 1000 }
  const lines = segments !== undefined && segments !== null && segments.length > 0 ? segments : [whole]
  const words = lines.flatMap((line) =>
    spreadWords({
      text: line.text,
      start: milliseconds(line.start),
      end: Math.min(length, milliseconds(line.end)),
      speaker: null,
    }),
  )
  const warnings = [warningOf("no_word_times"), warningOf("no_confidence"), ...noLanguage]
  return { words, language: told, warnings }
}
