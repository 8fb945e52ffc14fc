/** Transcripts as files that people edit, and what is read from them. */
import { readEdited, writeEditable } from "@earmark/core/edits"
import type { Transcript } from "@earmark/core/transcripts"
import { Either } from "effect"
import { line, transcriptOf } from "./world.js"

const base = { id: "tr_1", revision: 0 }

export const fileOf = (transcript: Transcript) => writeEditable(transcript, base)

export const operationsOf = (file: string, transcript: Transcript) =>
  Either.getOrThrow(readEdited(file, transcript))

export const refusal = (file: string, transcript: Transcript) => {
  const { line, detail } = Either.getOrThrow(Either.flip(readEdited(file, transcript)))
  return [line, detail]
}

export const shown = ({ segments }: Transcript) =>
  segments.map(({ start, end, speaker, text }) => [start, end, speaker, text])

export const short = () =>
  transcriptOf(
    line(0, "we met in berlin"),
    line(1000, "and then left", "Speaker 2"),
    line(2000, "it was late", "Speaker 2"),
  )
