import { Option, Schema } from "effect"
import type { HeardWord } from "../heard.js"

const Token = Schema.Struct({
  text: Schema.String,
  p: Schema.optional(Schema.Number),
  offsets: Schema.Struct({ from: Schema.Number, to: Schema.Number }),
})

const Output = Schema.Struct({
  result: Schema.optional(Schema.Struct({ language: Schema.optional(Schema.String) })),
  transcription: Schema.Array(Schema.Struct({ tokens: Schema.optional(Schema.Array(Token)) })),
})

const decode = Schema.decodeUnknownOption(Schema.parseJson(Output))

const MARKER = /^\[_.*\]$/

/** A letter may be cut in two by the end of a token, so words are put together as bytes. */
const textOf = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8").trim()

/** What whisper.cpp writes with `-ojf`: tokens, joined to words at the blank before a word. Null when it is something else. */
export const readWhisperJson = (
  file: Uint8Array,
): { readonly words: ReadonlyArray<HeardWord>; readonly language: string | null } | null => {
  const output = Option.getOrNull(decode(Buffer.from(file).toString("latin1")))
  if (output === null) return null
  const words: Array<HeardWord> = []
  for (const { tokens = [] } of output.transcription) {
    let isFirst = true
    for (const { text, offsets, p } of tokens) {
      if (MARKER.test(text) || text === "") continue
      const last = words.at(-1)
      if (last === undefined || isFirst || text.startsWith(" ")) {
        words.push({ text, start: offsets.from, end: offsets.to, confidence: p ?? null })
      } else {
        const confidence = p === undefined || last.confidence === null ? null : Math.min(p, last.confidence)
        words[words.length - 1] = { ...last, text: last.text + text, end: offsets.to, confidence }
      }
      isFirst = false
    }
  }
  return {
    words: words.map((word) => ({ ...word, text: textOf(word.text) })).filter(({ text }) => text !== ""),
    language: output.result?.language ?? null,
  }
}
