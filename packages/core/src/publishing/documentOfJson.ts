import {
  isRecord,
  type JsonRecord,
  labelOf,
  listOf,
  recordOf,
  textOf,
  timeOf,
} from "../captions/readers/jsonValues.js"
import type { ExportDocument } from "../captions/writers/ExportDocument.js"
import type { Chapter } from "../text/chapters.js"
import { type Doubt, doubtReasons } from "../transcripts/doubts.js"
import type { Segment, Word } from "../transcripts/Transcript.js"

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null)

const timeIn = (value: unknown): number => Math.max(0, timeOf(value, "seconds"))

const spanOf = ({ start, end }: JsonRecord) => ({ start: timeIn(start), end: timeIn(end) })

// There are many of them: each is made in one step.
const wordOf = (value: unknown, segmentSpeaker: string | null): Word => {
  const { start, end, text, confidence, speaker } = recordOf(value)
  return {
    start: timeIn(start),
    end: timeIn(end),
    text: textOf(text),
    confidence: typeof confidence === "number" ? confidence : null,
    speaker: speaker === undefined ? segmentSpeaker : (labelOf(speaker) ?? segmentSpeaker),
  }
}

const segmentOf = (value: unknown): Segment => {
  const record = recordOf(value)
  const speaker = labelOf(record.speaker)
  const words = listOf(record.words).map((word) => wordOf(word, speaker))
  return { ...spanOf(record), speaker, text: textOf(record.text), words }
}

const chapterOf = (value: unknown): Chapter => {
  const record = recordOf(value)
  return { ...spanOf(record), title: textOf(record.title) }
}

const doubtOf = (value: unknown): ReadonlyArray<Doubt> => {
  const record = recordOf(value)
  const reason = doubtReasons.find((each) => each === record.reason)
  return reason === undefined ? [] : [{ ...spanOf(record), reason }]
}

const namesOf = (values: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listOf(values)
      .map(recordOf)
      .flatMap(({ label, name }) =>
        typeof label === "string" && typeof name === "string" && label !== name ? [[label, name]] : [],
      ),
  )

const timings = ["engine", "aligned", "estimated"] as const

/** The document that an export in the format `json` was written from, without its translation; null for other JSON. */
export const documentOfJson = (text: string): ExportDocument | null => {
  const root: unknown = JSON.parse(text)
  if (!isRecord(root) || root.version !== 1 || !Array.isArray(root.segments)) return null
  return {
    id: textOrNull(root.id),
    title: textOrNull(root.title),
    language: textOrNull(root.language),
    duration: Math.max(0, timeOf(root.duration_seconds, "seconds")),
    wordTiming: timings.find((each) => each === root.word_timing) ?? null,
    doubts: listOf(root.doubts).flatMap(doubtOf),
    summary: textOrNull(root.summary),
    chapters: listOf(root.chapters).map(chapterOf),
    speakerNames: namesOf(root.speakers),
    segments: root.segments.map(segmentOf),
  }
}
