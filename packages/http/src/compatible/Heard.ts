import { type Export, exportTranscript } from "@earmark/core/captions"
import type { DoneJob, FailedJob, SpokenSegment, SpokenWord } from "@earmark/core/jobs"
import { Effect } from "effect"
import type { Failure } from "../answers/refusalOf.js"

/** What was heard in a recording, as programs of other protocols are answered. Times in milliseconds. */
export interface Heard {
  readonly task: "transcribe" | "translate"
  /** Null: nobody could tell. */
  readonly language: string | null
  /** How sure the engine was of the language, where it found that itself. */
  readonly languageConfidence: number | null
  readonly durationSeconds: number
  readonly text: string
  readonly segments: ReadonlyArray<SpokenSegment>
  /** As a file. */
  readonly file: (format: "srt" | "vtt" | "tsv") => Effect.Effect<Export, Failure>
}

export const wordsOf = ({ segments }: Heard): ReadonlyArray<SpokenWord> =>
  segments.flatMap(({ words }) => words ?? [])

/** A finished job. What was asked for in English is answered in English alone. */
export const heardOf = (job: DoneJob, task: Heard["task"], file: Heard["file"]): Heard => {
  const { text, segments } = task === "translate" ? (job.translation ?? job) : job
  return {
    task,
    language: job.language,
    languageConfidence: job.detectedLanguage?.confidence ?? null,
    durationSeconds: job.durationSeconds,
    text,
    segments,
    file,
  }
}

/** A recording in which nobody speaks: the job failed, which these protocols know as an empty transcript. */
export const nothingHeard = (job: FailedJob, task: Heard["task"]): Heard => {
  const language = job.language ?? job.options.language
  const duration = job.durationSeconds ?? 0
  return {
    task,
    language,
    languageConfidence: null,
    durationSeconds: duration,
    text: "",
    segments: [],
    file: (format) =>
      Effect.suspend(() =>
        exportTranscript({ language, duration: duration * 1000, segments: [] }, { format }),
      ),
  }
}
