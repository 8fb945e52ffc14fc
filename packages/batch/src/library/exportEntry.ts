import type { ExportFormat } from "@earmark/core/captions"
import { JobId } from "@earmark/core/jobs"
import type { SpeakerNames } from "@earmark/core/transcripts"
import type { CaptionProfile } from "@earmark/core/wire"
import { type Content, exportOf } from "@earmark/service"
import type { NewNames } from "../Asked.js"
import type { Head } from "./Head.js"

/** How a transcript is written. */
export interface ExportWanted {
  readonly format: ExportFormat
  readonly word_level: boolean
  readonly speakers: boolean
  /** What this file calls speakers, beside the names that they have. */
  readonly names?: NewNames | undefined
  readonly profile: CaptionProfile | undefined
  readonly max_chars_per_line?: number | undefined
  readonly max_lines?: number | undefined
  readonly language: string | undefined
  /** As it was after so many edits, 0 for what was heard [the newest]. */
  readonly revision?: number | undefined
}

type DoneEntry = Extract<Head["job"], { status: "done" }>

const milliseconds = (seconds: number): number => Math.round(seconds * 1000)

/** A finished entry in the format asked for. A result beside its source does not hold the id. */
export const exportEntry = (
  job: DoneEntry,
  content: Content,
  speakerNames: SpeakerNames,
  wanted: Omit<ExportWanted, "names">,
  { hasId }: { readonly hasId: boolean },
) => {
  const { title, duration_seconds: durationSeconds, word_timing: wordTiming = null } = job
  const doubts = (job.integrity?.doubts ?? []).map(({ start, end, reason }) => ({
    start: milliseconds(start),
    end: milliseconds(end),
    reason,
  }))
  const {
    word_level: wordLevel,
    max_chars_per_line: maxCharsPerLine,
    max_lines: maxLines,
    revision: _,
    ...query
  } = wanted
  // Programs that score transcripts find a recording by the name of its file.
  const isNamed = wanted.format === "ctm" || wanted.format === "rttm"
  const id = hasId && !isNamed ? JobId.make(job.id) : null
  return exportOf({ id, title, durationSeconds, speakerNames, wordTiming, integrity: { doubts } }, content, {
    ...query,
    wordLevel,
    maxCharsPerLine,
    maxLines,
  })
}
