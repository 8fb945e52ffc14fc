import { type ExportDocument, type ExportOptions, exportTranscript } from "@earmark/core/captions"
import type { Segment, Word } from "@earmark/core/transcripts"
import { assert } from "@effect/vitest"
import * as Either from "effect/Either"

/** Words of equal length over the time of a segment. */
const evenWords = (text: string, start: number, end: number, speaker: string | null): ReadonlyArray<Word> => {
  const texts = text.split(" ").filter((word) => word !== "")
  const moment = (at: number) => Math.round(start + ((end - start) * at) / texts.length)
  return texts.map((word, at) => ({
    text: word,
    start: moment(at),
    end: moment(at + 1),
    confidence: 0.9,
    speaker,
  }))
}

export const segment = (
  start: number,
  end: number,
  speaker: string | null,
  text: string,
  timed = true,
): Segment => ({
  start,
  end,
  speaker,
  text,
  words: timed ? evenWords(text, start, end, speaker) : [],
})

export const documentOf = (
  segments: ReadonlyArray<Segment>,
  facts: Partial<ExportDocument> = {},
): ExportDocument => ({
  language: "en",
  duration: segments.reduce((end, each) => Math.max(end, each.end), 0),
  segments,
  ...facts,
})

/** All bytes of an export that is not refused. */
export const bytesOf = (document: ExportDocument, options: ExportOptions): Buffer => {
  const made = exportTranscript(document, options)
  assert(Either.isRight(made))
  return Buffer.concat([...made.right.chunks].map((chunk) => Buffer.from(chunk)))
}

export const textOf = (document: ExportDocument, options: ExportOptions): string =>
  bytesOf(document, options).toString()

export const refusalOf = (document: ExportDocument, options: ExportOptions): string => {
  const made = exportTranscript(document, options)
  assert(Either.isLeft(made))
  assert.strictEqual(made.left._tag, "ExportRefused")
  return made.left.code
}
