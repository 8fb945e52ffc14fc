/** The content of an entry as bytes: the lines, then the words with their times, each compressed. A search reads the lines alone. */
import { closeSync, openSync, readFileSync, readSync } from "node:fs"
import { promisify } from "node:util"
import { gunzipSync, gzip } from "node:zlib"
import { onUse } from "@earmark/core/onUse"
import type { Content } from "@earmark/service"
import { Schema } from "effect"

const { NullOr, String: Text, Array: List, Finite } = Schema

const Lines = Schema.Struct({
  version: Schema.Literal(1),
  language: NullOr(Text),
  text: Text,
  segments: List(Schema.Struct({ start: Finite, end: Finite, speaker: NullOr(Text), text: Text })),
  summary: NullOr(Text),
  chapters: NullOr(
    List(
      Schema.Struct({
        start: Finite,
        end: Finite,
        title: Text,
        summary: Schema.optionalWith(Text, { exact: true }),
      }),
    ),
  ),
  translation: NullOr(Schema.Struct({ language: Text, texts: List(Text) })),
})

/** Of each line: text, begin, end, confidence and speaker of its words. */
const Words = List(List(Schema.Tuple(Text, Finite, Finite, NullOr(Finite), NullOr(Text))))

const readLines = onUse(() => Schema.decodeUnknownSync(Schema.parseJson(Lines)))
const readWords = onUse(() => Schema.decodeUnknownSync(Schema.parseJson(Words)))

const gzipped = promisify(gzip)

/** The length of the compressed lines stands before them. */
const LENGTH_BYTES = 4

export const pack = async (content: Content): Promise<Uint8Array> => {
  const { segments, moreTranslations: _, estimatedWords: __, ...others } = content
  const lines: typeof Lines.Type = {
    version: 1,
    ...others,
    segments: segments.map(({ start, end, speaker, text }) => ({ start, end, speaker, text })),
  }
  const words: typeof Words.Type = segments.map((segment) =>
    segment.words.map(({ text, start, end, confidence, speaker }) => [text, start, end, confidence, speaker]),
  )
  const packed = await gzipped(JSON.stringify(lines))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(packed.length)
  return Buffer.concat([length, packed, await gzipped(JSON.stringify(words))])
}

const textOf = (packed: Uint8Array): string => gunzipSync(packed).toString("utf8")

const contentOf = ({ version: _, ...lines }: typeof Lines.Type, words: typeof Words.Type): Content => ({
  ...lines,
  segments: lines.segments.map((segment, index) => ({
    ...segment,
    words: (words[index] ?? []).map(([text, start, end, confidence, speaker]) => ({
      text,
      start,
      end,
      confidence,
      speaker,
    })),
  })),
})

/** All of it. Throws when it is damaged. */
export const unpack = (path: string): Content => {
  const bytes = readFileSync(path)
  const end = LENGTH_BYTES + bytes.readUInt32BE(0)
  return contentOf(
    readLines()(textOf(bytes.subarray(LENGTH_BYTES, end))),
    readWords()(textOf(bytes.subarray(end))),
  )
}

/** Without words. Throws when it is damaged. */
export const unpackLines = (path: string): Content => {
  const file = openSync(path, "r")
  try {
    const length = Buffer.alloc(LENGTH_BYTES)
    readSync(file, length)
    const packed = Buffer.alloc(Math.min(length.readUInt32BE(0), LONGEST_LINES))
    const read = readSync(file, packed)
    return contentOf(readLines()(textOf(packed.subarray(0, read))), [])
  } finally {
    closeSync(file)
  }
}

/** A damaged length must not ask for all memory. */
const LONGEST_LINES = 268_435_456
