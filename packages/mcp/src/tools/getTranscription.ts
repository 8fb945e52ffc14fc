import { type DoneJob, DoubtReason, type Job } from "@earmark/core/jobs"
import { Effect, Schema } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import * as fields from "./fields.js"
import { CONTENT_CHARACTERS, clipped } from "./fitting.js"
import { clock, marked } from "./foreignText.js"
import { jobFields, nextFor, shownJob, stateLine } from "./jobs.js"
import { presetTo } from "./jsonSchema.js"
import { waitSeconds } from "./options.js"
import { cursorAt, cursorRefused, openCursor, pageEnd, rangeOf } from "./reading/pages.js"
import { type PagedView, viewOfJob } from "./reading/viewsOfJob.js"
import { type Told, tool } from "./Tool.js"
import { ToolRefused } from "./ToolRefused.js"
import { waitFor } from "./waiting.js"

const { optional } = fields

const PAGE = 16_000

const VIEWS = ["text", "segments", "summary", "chapters", "translation", "status"] as const

const Input = Schema.Struct({
  id: fields.transcriptionId,
  view: optional(
    presetTo(
      fields.choice(
        "text = plain paragraphs, segments = timed speaker lines, summary / chapters / translation = only that part, status = no content.",
        VIEWS,
      ),
      "text",
    ),
  ),
  start_seconds: optional(fields.number("Only content from this time on.", { from: 0 })),
  end_seconds: optional(fields.number("Only content before this time.", { from: 0 })),
  max_chars: optional(presetTo(fields.integer("Page size in characters.", { from: 500, to: 40_000 }), PAGE)),
  cursor: optional(fields.cursor),
  wait_seconds: optional(waitSeconds(0)),
})

const Line = Schema.Struct({
  start: fields.number("Start in seconds."),
  end: fields.number("End in seconds."),
  speaker: optional(fields.text('The name, or "Speaker 1" … (only with diarization).')),
  text: fields.text("Words of the line."),
})

const Chapter = Schema.Struct({
  start: fields.number("Start in seconds."),
  end: fields.number("End in seconds."),
  title: fields.text("Title."),
  summary: optional(fields.text("One or two sentences.")),
})

const Doubt = Schema.Struct({
  start: fields.number("Start in seconds."),
  end: fields.number("End in seconds."),
  reason: fields.choice(
    "misfit = the words do not sound like the recording, looping = they repeat in circles, impossible_rate = faster than anyone can speak.",
    DoubtReason.literals,
  ),
})

const Output = Schema.Struct({
  ...jobFields,
  view: fields.text("The view that was served."),
  text: optional(fields.text("This page of the text, translation or summary.")),
  segments: optional(fields.list("This page of timed lines.", Line)),
  summary: optional(fields.text("Summary, when there is one.")),
  chapters: optional(fields.list("Chapters, when asked for.", Chapter)),
  translation_language: optional(fields.text("ISO code of the translation served.")),
  coverage: optional(
    fields.number("Share of the heard speech that is in the transcript, 0 to 1.", { from: 0, to: 1 }),
  ),
  doubts: optional(fields.list("Text that may not be what was said: check it before you quote it.", Doubt)),
  warnings: optional(
    fields.list("Things the person should know, e.g. untranscribed stretches.", fields.text("One sentence.")),
  ),
  total_chars: optional(fields.integer("Characters of the whole view.", { from: 0 })),
  returned_chars: optional(fields.integer("Characters of this page.", { from: 0 })),
  next_cursor: optional(fields.nextCursor),
})

type Input = typeof Input.Type
type Output = typeof Output.Type
type ViewName = (typeof VIEWS)[number]

/** What is told apart stands in the segments alone. */
const hasSpeakers = ({ segments }: DoneJob): boolean => segments.some(({ speaker }) => speaker !== null)

const isPaged = (view: ViewName): view is PagedView =>
  view === "text" || view === "segments" || view === "translation"

const MOST_PLACES = 10

const warningsOf = ({ warnings, integrity }: DoneJob): ReadonlyArray<string> => [
  ...warnings.map(({ detail }) => detail),
  ...(integrity?.gaps ?? [])
    .slice(0, MOST_PLACES)
    .map(({ start, end }) => `Speech between ${clock(start)} and ${clock(end)} is not in the transcript.`),
  ...(integrity?.doubts ?? [])
    .slice(0, MOST_PLACES)
    .map(({ start, end }) => `The text between ${clock(start)} and ${clock(end)} may not be what was said.`),
]

const common = (job: Job, baseUrl: string, view: ViewName, next: string) => ({
  ...shownJob(job, baseUrl),
  view,
  next_step: next,
})

const qualityOf = (job: DoneJob) => {
  const warnings = warningsOf(job)
  const doubts = job.integrity?.doubts ?? []
  return {
    ...(job.integrity?.coverage != null && { coverage: job.integrity.coverage }),
    ...(doubts.length > 0 && {
      doubts: doubts.map(({ start, end, reason }) => ({ start: start / 1000, end: end / 1000, reason })),
    }),
    ...(warnings.length > 0 && { warnings }),
  }
}

const noExtra = (job: DoneJob, view: "summary" | "chapters" | "translation") => {
  const state = job.enrichment[view]
  const detail =
    state === undefined
      ? `The transcription was made without a ${view}`
      : `The ${view} is ${state.status}${state.error === undefined ? "" : `: ${state.error}`}`
  const option = view === "translation" ? "translate_to" : view
  return new ToolRefused({
    code: "invalid_state",
    detail,
    action: `Read view text instead, or call make_extras with ${option}.`,
  })
}

/** One page of a view that comes in pages. */
const toldPage = (job: DoneJob, baseUrl: string, view: PagedView, input: Input) =>
  Effect.gen(function* () {
    const whole = viewOfJob(job, view)
    if (whole === null || (view === "translation" && job.translation === undefined)) {
      return yield* noExtra(job, "translation")
    }
    const { start_seconds = 0, end_seconds = Number.POSITIVE_INFINITY, max_chars = PAGE, cursor } = input
    const range = rangeOf(whole, { from: start_seconds * 1000, to: end_seconds * 1000 })
    const scope = `${job.id} ${view} ${start_seconds} ${end_seconds} ${whole.offsets.at(-1)}`
    const first = cursor === undefined ? range.first : openCursor(scope, cursor)
    if (first === null || first < range.first || first > range.last) return yield* cursorRefused
    const end = pageEnd(whole, { first, last: range.last }, Math.min(max_chars, CONTENT_CHARACTERS))
    const pieces = whole.pieces.slice(first, end)
    const text = pieces.map((piece) => piece.text).join("")
    const next = end < range.last ? cursorAt(scope, end) : undefined
    const total = (whole.offsets[range.last] ?? 0) - (whole.offsets[range.first] ?? 0)
    const speakers = view === "text" && hasSpeakers(job) ? " View segments tells who speaks." : ""
    const nextStep =
      next === undefined
        ? `This is the end.${speakers} search_transcript finds passages, export_transcript makes subtitles.`
        : `Repeat the call with cursor = next_cursor for the next page.${speakers}`
    const isFirst = cursor === undefined
    const warnings = isFirst ? warningsOf(job) : []
    const structured: Output = {
      ...common(job, baseUrl, view, nextStep),
      ...(view === "segments"
        ? { segments: pieces.flatMap(({ line }) => (line === null ? [] : [line])) }
        : { text }),
      ...(view === "translation" &&
        job.translation !== undefined && {
          translation_language: job.translation.language,
        }),
      ...(isFirst && qualityOf(job)),
      total_chars: total,
      returned_chars: text.length,
      ...(next !== undefined && { next_cursor: next }),
    }
    const told: Told<Output> = {
      structured,
      lines: [
        stateLine(job),
        `View ${view}: ${text.length} of ${total} characters.`,
        ...warnings,
        ...(next === undefined ? [] : [`next_cursor: ${next}`]),
        nextStep,
      ],
      foreign: text === "" ? [] : [marked(job.id, text)],
    }
    return told
  })

const toldSummary = (job: DoneJob, baseUrl: string) => {
  if (job.summary === undefined) return noExtra(job, "summary")
  const next = "Call it with view text for what was said, or with view chapters."
  const summary = clipped(job.summary, CONTENT_CHARACTERS / 2)
  return Effect.succeed<Told<Output>>({
    structured: { ...common(job, baseUrl, "summary", next), summary, ...qualityOf(job) },
    lines: [stateLine(job), next],
    foreign: [marked(job.id, summary)],
  })
}

const toldChapters = (job: DoneJob, baseUrl: string) => {
  if (job.chapters === undefined) return noExtra(job, "chapters")
  const next = "Call it with start_seconds and end_seconds of a chapter to read that part."
  const chapters = job.chapters.map(({ start, end, title, summary }) => ({
    start: start / 1000,
    end: end / 1000,
    title: clipped(title, 200),
    ...(summary !== undefined && { summary: clipped(summary, 400) }),
  }))
  const lines = chapters.map(({ start, title, summary = "" }) =>
    `[${clock(start * 1000)}] ${title}\n${summary}`.trim(),
  )
  return Effect.succeed<Told<Output>>({
    structured: { ...common(job, baseUrl, "chapters", next), chapters, ...qualityOf(job) },
    lines: [stateLine(job), next],
    foreign: [marked(job.id, lines.join("\n"))],
  })
}

/** What is answered of a job that has no content (yet), or when none is asked for. */
const toldState = (job: Job, baseUrl: string, view: ViewName): Told<Output> => {
  const next =
    job.status === "done"
      ? `Call get_transcription with id ${job.id} and view text to read it.`
      : nextFor(job)
  return {
    structured: { ...common(job, baseUrl, view, next), ...(job.status === "done" && qualityOf(job)) },
    lines: [stateLine(job), ...(job.status === "done" ? warningsOf(job) : []), next],
  }
}

/** What get_transcription answers about a job, in whatever state it is. */
const toldTranscription = (
  job: Job,
  baseUrl: string,
  input: Input,
): Effect.Effect<Told<Output>, ToolRefused> => {
  const { view = "text" } = input
  if (job.status !== "done" || view === "status") return Effect.succeed(toldState(job, baseUrl, view))
  if (isPaged(view)) return toldPage(job, baseUrl, view, input)
  return view === "summary" ? toldSummary(job, baseUrl) : toldChapters(job, baseUrl)
}

export const getTranscription = tool({
  name: "get_transcription",
  title: "Read a transcription",
  description:
    "Status and content of one transcription. Content comes in pages: call again with next_cursor, or use start_seconds/end_seconds for one part. To find a passage use search_transcript; for a whole subtitle file use export_transcript.",
  annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
  scope: "transcriptions:read",
  input: Input,
  output: Output,
  run: Effect.fnUntraced(function* (input, call) {
    const backend = yield* TranscriptionBackend
    const job = yield* waitFor(input.id, input.wait_seconds ?? 0, call)
    return yield* toldTranscription(job, backend.baseUrl, input)
  }),
})
