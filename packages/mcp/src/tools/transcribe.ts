import type { Job } from "@earmark/core/jobs"
import { classifyLink } from "@earmark/core/links"
import { counted } from "@earmark/core/text"
import { decodeCreate } from "@earmark/core/wire"
import { Effect, Either, Option, Schema } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import * as fields from "./fields.js"
import { marked } from "./foreignText.js"
import { jobFields, nextFor, shownJob, stateLine } from "./jobs.js"
import { idempotencyKey, optionFields, waitSeconds } from "./options.js"
import { Ongoing, reread, type Told, tool } from "./Tool.js"
import { ToolRefused } from "./ToolRefused.js"
import { taskOfJob } from "./tasks.js"
import { waitFor } from "./waiting.js"

const { optional } = fields

const WAIT_SECONDS = 25
const PREVIEW = 1000

const Input = Schema.Struct({
  url: optional(
    fields.text("http(s) link to media, a podcast RSS feed, an Apple Podcasts page or a social post.", {
      to: 2048,
    }),
  ),
  media_ref: optional(fields.text("Value returned by upload_file.")),
  blob_url: optional(fields.text("Public https link of a stored blob.", { to: 2048 })),
  episode_guid: optional(fields.text("With a feed url: the guid of the episode.")),
  episode_index: optional(fields.integer("With a feed url: 0 = newest, 1 = the one before, …", { from: 0 })),
  ...optionFields,
  transcript_text: optional(
    fields.text(
      "The text of the recording, when you have it (plain, SRT or WebVTT): gives each word its time instead of recognizing speech. Leave out quality and vocabulary.",
      { to: 500_000 },
    ),
  ),
  start_at: optional(fields.number("Transcribe only from this second on.", { from: 0 })),
  end_at: optional(fields.number("Transcribe only up to this second.", { from: 0 })),
  title: optional(fields.text("Name for the transcription.", { to: 300 })),
  wait_seconds: optional(waitSeconds(WAIT_SECONDS)),
  idempotency_key: optional(idempotencyKey),
})

const Output = Schema.Struct({
  ...jobFields,
  estimated_credits: optional(fields.number("Expected charge, when the length is known.", { from: 0 })),
  cached: optional(fields.flag("True when an earlier result was reused (free).")),
  text_preview: optional(fields.text("First 1,000 characters, when done.")),
  total_chars: optional(fields.integer("Length of the whole text, when done.", { from: 0 })),
  summary: optional(fields.text("When asked for and done.")),
  warnings: optional(fields.list("Things the person should know.", fields.text("One sentence."))),
})

const readStep = (job: Extract<Job, { status: "done" }>): string =>
  job.text.length > PREVIEW
    ? `Call get_transcription with id ${job.id} for the whole text, search_transcript to find a passage, or export_transcript for subtitles.`
    : `This is the whole text. Call get_transcription with id ${job.id} and view segments for its times and speakers, or export_transcript for subtitles.`

/** What transcribe answers about a job, in whatever state it is. */
export const toldJob = (job: Job, baseUrl: string, estimate?: number): Told<typeof Output.Type> => {
  const next = job.status === "done" ? readStep(job) : nextFor(job)
  const preview = job.status === "done" ? job.text.slice(0, PREVIEW) : undefined
  return {
    structured: {
      ...shownJob(job, baseUrl),
      ...(estimate !== undefined && { estimated_credits: estimate }),
      ...(job.status === "done" && {
        cached: job.cached,
        text_preview: job.text.slice(0, PREVIEW),
        total_chars: job.text.length,
        ...(job.summary !== undefined && { summary: job.summary }),
      }),
      ...(job.warnings.length > 0 && { warnings: job.warnings.map(({ detail }) => detail) }),
      next_step: next,
    },
    lines: [
      stateLine(job),
      ...(estimate === undefined ? [] : [`It will cost about ${counted(estimate, "credit")}.`]),
      ...job.warnings.map(({ detail }) => detail),
      next,
    ],
    ...(preview !== undefined && preview !== "" && { foreign: [marked(job.id, preview)] }),
    ...(job.status === "done" && {
      links: [{ uri: `transcription://${job.id}/text`, name: `${job.id}.txt`, mimeType: "text/plain" }],
    }),
  }
}

/** Agents take the path of a file for a link. */
const fileInsteadOfLink = (url: string | undefined): ToolRefused | null => {
  const refused = url === undefined ? null : Option.getOrNull(Either.getLeft(classifyLink(url)))
  return refused?.reason === "local_file"
    ? new ToolRefused({
        code: refused.code,
        detail: "url: This is a file, not a link",
        action: "Call upload_file with this file, then transcribe with the media_ref that it returns.",
      })
    : null
}

export const transcribe = tool({
  name: "transcribe",
  title: "Transcribe audio, video or a podcast episode",
  description:
    "Start a transcription of ONE source: a link (media file, podcast feed, Apple Podcasts, social link), an uploaded file (media_ref from upload_file) or a public blob link. Costs 1 credit per started minute of media; social clips are cut at 90 seconds; a cached or captioned source costs nothing. Give exactly one of url, media_ref, blob_url. A feed link takes the newest episode unless episode_guid or episode_index is given. Waits up to wait_seconds; read longer media with get_transcription. For a whole feed use transcribe_podcast_feed.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  scope: "transcriptions:write",
  input: Input,
  output: Output,
  run: Effect.fnUntraced(function* ({ wait_seconds = WAIT_SECONDS, idempotency_key, ...body }, call) {
    const backend = yield* TranscriptionBackend
    const refused = fileInsteadOfLink(body.url)
    if (refused !== null) return yield* refused
    const request = yield* reread(decodeCreate(body))
    // Once it is asked for, a caller that goes away changes nothing.
    const made = yield* Effect.uninterruptible(
      backend.ask("transcriptions.create", { body: request }, { idempotencyKey: idempotency_key }),
    )
    if (call.abilities.takesTasks && made.status === "queued") {
      return new Ongoing(taskOfJob(yield* backend.get(made.id), (ended) => toldJob(ended, backend.baseUrl)))
    }
    const job = yield* waitFor(made.id, made.status === "done" ? 0 : wait_seconds, call)
    if (job.status !== "queued" || job.durationSeconds === null) return toldJob(job, backend.baseUrl)
    // The job is there whether or not its price can be told.
    const quote = yield* Effect.option(backend.quote({ type: "transcription", request }))
    const credits = Option.getOrUndefined(quote)?.credits ?? undefined
    return toldJob(job, backend.baseUrl, credits)
  }),
})
