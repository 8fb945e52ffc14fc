import type { DoneJob } from "@earmark/core/jobs"
import { speakerName } from "@earmark/core/transcripts"
import { type View, viewOf } from "./pages.js"
import { piecesOfLines, piecesOfText } from "./pieces.js"

/** Views that come in pages. */
export type PagedView = "text" | "segments" | "translation"

/** The lines as people read them: speakers by name, where they have one. */
const namedLines = ({ segments, speakers }: DoneJob) =>
  segments.map((line) => ({
    ...line,
    speaker: line.speaker === null ? null : speakerName(speakers, line.speaker),
  }))

const make = (job: DoneJob, name: PagedView): View | null => {
  switch (name) {
    case "text":
      return viewOf(piecesOfText(job.text, job.segments))
    case "segments":
      return viewOf(piecesOfLines(namedLines(job)))
    case "translation":
      return job.translation === undefined
        ? null
        : viewOf(piecesOfText(job.translation.text, job.translation.segments))
  }
}

const known = new WeakMap<DoneJob, Map<PagedView, View | null>>()

/** A view of a finished job; null when there is none. Made once for as long as somebody holds the job. */
export const viewOfJob = (job: DoneJob, name: PagedView): View | null => {
  const views = known.get(job) ?? new Map<PagedView, View | null>()
  known.set(job, views)
  const found = views.get(name)
  if (found !== undefined) return found
  const view = make(job, name)
  views.set(name, view)
  return view
}
