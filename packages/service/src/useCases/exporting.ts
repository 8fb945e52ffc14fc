import { type Export, type ExportRefused, exportTranscript } from "@earmark/core/captions"
import type { ExportQuery } from "@earmark/core/jobs"
import type { Either } from "effect"
import type { Content, StoredJob } from "../ports/records.js"
import { transcriptOf, translatedSegments } from "./showJob.js"

/** The transcript in the format asked for. Names that speakers were given are used. */
export const exportOf = (
  job: StoredJob,
  content: Content,
  query: ExportQuery,
): Either.Either<Export, ExportRefused> => {
  const transcript = transcriptOf(job, content)
  const { translation } = content
  return exportTranscript(
    {
      ...transcript,
      id: job.id,
      title: job.title,
      summary: content.summary,
      chapters: content.chapters,
      translation:
        translation === null
          ? null
          : { language: translation.language, segments: translatedSegments(transcript, translation) },
    },
    query,
  )
}
