import { type Export, type ExportOptions, type ExportRefused, exportTranscript } from "@earmark/core/captions"
import type { Integrity } from "@earmark/core/jobs"
import type { Either } from "effect"
import type { Content, StoredJob } from "../ports/records.js"
import { correctedTiming } from "./correctedTimes.js"
import { translationTo } from "./laterExtras.js"
import { labelledTranscript, translatedSegments } from "./showJob.js"

/** What an export says beside the content. */
export type Exported = Pick<StoredJob, "title" | "durationSeconds" | "speakerNames" | "wordTiming"> & {
  readonly id: string | null
  readonly integrity: Pick<Integrity, "doubts"> | null
}

/** The transcript in the format asked for. Names that speakers were given are used. */
export const exportOf = (
  job: Exported,
  content: Content,
  query: ExportOptions,
): Either.Either<Export, ExportRefused> => {
  const transcript = labelledTranscript(job, content)
  const translation = translationTo(content, query.language ?? undefined) ?? content.translation
  return exportTranscript(
    {
      ...transcript,
      id: job.id,
      title: job.title,
      speakerNames: job.speakerNames,
      summary: content.summary,
      chapters: content.chapters,
      wordTiming: correctedTiming(job.wordTiming, content),
      doubts: job.integrity?.doubts ?? [],
      translation:
        translation === null
          ? null
          : {
              language: translation.language,
              segments: translatedSegments(transcript, translation),
            },
    },
    query,
  )
}
