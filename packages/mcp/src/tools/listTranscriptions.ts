import type { JobSummary } from "@earmark/core/jobs"
import { counted } from "@earmark/core/text"
import { decodeListQuery } from "@earmark/core/wire"
import { Effect, Schema } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import * as fields from "./fields.js"
import { fitting, jsonLength } from "./fitting.js"
import { quoted } from "./foreignText.js"
import { iso, percent, shownJob } from "./jobs.js"
import { presetTo } from "./jsonSchema.js"
import { asQuery, reread, tool } from "./Tool.js"

const { optional } = fields

const LIMIT = 20

const Input = Schema.Struct({
  query: optional(fields.text("Only titles that contain these words.", { from: 1, to: 200 })),
  status: optional(fields.status("Only this state.")),
  language: optional(fields.language("Only this ISO code.")),
  batch_id: optional(fields.text("Only this feed run.", { from: 1, to: 64 })),
  feed: optional(fields.text("Only episodes of this feed.", { to: 2048 })),
  created_after: optional(fields.moment("Only later than this, RFC 3339.")),
  created_before: optional(fields.moment("Only earlier than this, RFC 3339.")),
  order: optional(presetTo(fields.choice("desc = newest first.", ["desc", "asc"]), "desc")),
  limit: optional(presetTo(fields.integer("Items per page.", { from: 1, to: 100 }), LIMIT)),
  cursor: optional(fields.cursor),
})

const Item = Schema.Struct({
  id: fields.transcriptionId,
  status: fields.status("done and failed are final."),
  phase: optional(fields.phase("Only while queued.")),
  progress: optional(fields.number("0 to 1.", { from: 0, to: 1 })),
  title: optional(fields.text("Title of the media.")),
  source: optional(fields.text("Address or media_ref.")),
  url: fields.text("Absolute REST address."),
  language: optional(fields.text("ISO code.")),
  duration_seconds: optional(fields.integer("Length.", { from: 0 })),
  billed_minutes: optional(fields.integer("Minutes charged.", { from: 0 })),
  batch_id: optional(fields.text("Feed run it belongs to.")),
  created_at: fields.moment("RFC 3339."),
  completed_at: optional(fields.moment("RFC 3339.")),
  failure_code: optional(fields.text("Only when failed.")),
})

const Output = Schema.Struct({
  transcriptions: fields.list("This page.", Item),
  returned: fields.integer("Items of this page.", { from: 0 }),
  next_cursor: optional(fields.nextCursor),
  next_step: fields.nextStep,
})

const itemOf = (job: JobSummary, baseUrl: string): typeof Item.Type => {
  const known = shownJob(job, baseUrl)
  const { word_count: _, word_timing: _timing, failure, poll_after_seconds: _poll, ...shown } = known
  return {
    ...shown,
    ...(job.batchId !== null && { batch_id: job.batchId }),
    created_at: iso(job.createdAt),
    ...(job.completedAt !== null && { completed_at: iso(job.completedAt) }),
    ...(failure !== undefined && { failure_code: failure.code }),
  }
}

const stateOf = (job: JobSummary): string =>
  job.status === "queued"
    ? `queued (${job.phase}, ${percent(job.progress)})`
    : job.status === "failed"
      ? `failed (${job.failure.code})`
      : "done"

const lineOf = (job: JobSummary): string =>
  [
    job.id,
    stateOf(job),
    ...(job.durationSeconds === null ? [] : [`${job.durationSeconds} s`]),
    iso(job.createdAt),
    ...(job.title === null ? [] : [quoted(job.title)]),
  ].join(" | ")

export const listTranscriptions = tool({
  name: "list_transcriptions",
  title: "List transcriptions",
  description:
    "Transcriptions of the account, newest first, without their text. Find an id by title, state, feed or date, or follow a feed run (batch_id). To look inside the texts use search_transcript.",
  annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
  scope: "transcriptions:read",
  input: Input,
  output: Output,
  run: Effect.fnUntraced(function* ({ query: q, limit = LIMIT, ...rest }) {
    const backend = yield* TranscriptionBackend
    const { data, nextCursor } = yield* fitting(
      limit,
      (items) =>
        Effect.flatMap(reread(decodeListQuery(asQuery({ q, limit: items, ...rest }))), (query) =>
          backend.ask("transcriptions.list", { query }),
        ),
      (page) => jsonLength(page.data.map((job) => itemOf(job, backend.baseUrl))),
    )
    const next =
      nextCursor !== null
        ? "Repeat the call with next_cursor for more."
        : data.length === 0
          ? "Nothing fits; transcribe makes a new transcription."
          : "Call get_transcription with an id to read one."
    return {
      structured: {
        transcriptions: data.map((job) => itemOf(job, backend.baseUrl)),
        returned: data.length,
        ...(nextCursor !== null && { next_cursor: nextCursor }),
        next_step: next,
      },
      lines: [
        `${counted(data.length, "transcription")} (id | state | length | made | title):`,
        ...data.map(lineOf),
        ...(nextCursor === null ? [] : [`next_cursor: ${nextCursor}`]),
        next,
      ],
    }
  }),
})
