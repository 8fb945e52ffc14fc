import { type CaptionFile, type CaptionFormat, readCaptions } from "@earmark/core/captions"
import type { Cue } from "@earmark/core/transcripts"
import { assert } from "@effect/vitest"
import * as Either from "effect/Either"

/** What a reader made of a text that is a caption file. */
export const read = (input: string | Uint8Array, format?: CaptionFormat): CaptionFile => {
  const file = readCaptions(input, format === undefined ? {} : { format })
  assert(Either.isRight(file))
  return file.right
}

/** `start-end speaker: line / line`, for tables. */
export const told = (cue: Cue): string =>
  `${cue.start}-${cue.end} ${cue.speaker === null ? "" : `${cue.speaker}: `}${cue.lines.join(" / ")}`

export const toldWords = (cue: Cue): ReadonlyArray<string> =>
  cue.words.map((word) => `${word.start}-${word.end} ${word.text}`)
