/** What tools say of a job, in the same words everywhere. */

import { type Job, type JobSummary, WordTiming } from "@earmark/core/jobs"
import { counted } from "@earmark/core/text"
import { transcriptionPath } from "@earmark/core/wire"
import { DateTime, Schema } from "effect"
import * as fields from "./fields.js"
import { quoted } from "./foreignText.js"
import { told } from "./jsonSchema.js"

const { optional } = fields

const failure = told(
  Schema.Struct({
    code: fields.text("Such as no_speech or canceled."),
    message: fields.text("What went wrong."),
    stage: optional(fields.text("Its phase.")),
    retryable: fields.flag("Whether it may work later."),
    attempts: optional(fields.integer("Attempts made.", { from: 0 })),
    action: optional(fields.text("What to do next.")),
  }),
  "When failed.",
)

/** The fields of a job that every tool about one job answers with. */
export const jobFields = {
  id: fields.transcriptionId,
  status: fields.status("done and failed are final."),
  phase: optional(fields.phase("While queued.")),
  url: fields.text("REST address."),
  title: optional(fields.text("Of the media, when known.")),
  source: optional(fields.text("Address or media_ref.")),
  language: optional(fields.text("ISO code of the transcript.")),
  duration_seconds: optional(fields.integer("Length of the media.", { from: 0 })),
  word_count: optional(fields.integer("Words in the transcript.", { from: 0 })),
  word_timing: optional(
    fields.choice("aligned: found in the sound; estimated: from lengths.", WordTiming.literals),
  ),
  billed_minutes: optional(fields.integer("Minutes charged.", { from: 0 })),
  progress: optional(fields.number("0 to 1.", { from: 0, to: 1 })),
  poll_after_seconds: optional(fields.integer("While queued: seconds until the next look.", { from: 1 })),
  failure: optional(failure),
  next_step: fields.nextStep,
}

const FAILED = Schema.Struct({ failure })

const FAILURE_ACTIONS: Readonly<Record<string, string>> = {
  canceled: "Transcribe it again when it is wanted after all.",
  insufficient_credits: "Ask the person to buy credits, then transcribe it again.",
}

const failureOf = (job: Extract<JobSummary, { status: "failed" }>): typeof FAILED.Type.failure => {
  const { code, stage, retryable, attempts } = job.failure
  const action =
    FAILURE_ACTIONS[code] ??
    (retryable
      ? "Call transcribe again with the same source."
      : "Give another source; this one will fail again.")
  return { code, message: job.error, stage, retryable, attempts, action }
}

/** How long to leave a job alone before asking again: short at first, longer for what takes long. */
const pollAfter = (job: Pick<JobSummary, "durationSeconds" | "phase">): number =>
  job.phase === "waiting_for_credits"
    ? 300
    : Math.min(60, Math.max(5, Math.round((job.durationSeconds ?? 0) / 120)))

const present = <Value extends object>(
  values: {
    readonly [Name in keyof Value]: Value[Name] | null | undefined
  },
): Partial<Value> =>
  Object.assign(
    {},
    ...Object.entries(values).map(([name, value]) => (value == null ? {} : { [name]: value })),
  )

export const urlOf = (baseUrl: string, id: string): string => `${baseUrl}${transcriptionPath(id)}`

/** What is known of a job, without what is not. */
export const shownJob = (job: Job | JobSummary, baseUrl: string) => ({
  id: job.id,
  status: job.status,
  url: urlOf(baseUrl, job.id),
  ...present<{
    title: string
    source: string
    language: string
    duration_seconds: number
    word_count: number
  }>({
    title: job.title,
    source: job.sourceLabel,
    language: job.language,
    duration_seconds: job.durationSeconds,
    word_count: job.wordCount,
  }),
  ...(job.status === "queued" && {
    phase: job.phase,
    progress: job.progress,
    poll_after_seconds: pollAfter(job),
  }),
  ...(job.status === "done" && {
    billed_minutes: job.billedMinutes,
    ...(job.wordTiming != null && { word_timing: job.wordTiming }),
  }),
  ...(job.status === "failed" && { failure: failureOf(job) }),
})

export const percent = (progress: number): string => `${Math.floor(progress * 100)} %`

const nameOf = ({ id, title }: JobSummary | Job): string => (title === null ? id : `${id} ${quoted(title)}`)

/** The state of a job in one line. */
export const stateLine = (job: Job | JobSummary): string => {
  switch (job.status) {
    case "queued":
      return `${nameOf(job)} is queued: ${job.phase}, ${percent(job.progress)}.`
    case "failed":
      return `${nameOf(job)} failed (${job.failure.code}): ${job.error}`
    case "done": {
      const facts = [
        job.language === null ? [] : [`language ${job.language}`],
        [`${counted(job.durationSeconds, "second")} of media`],
        [counted(job.wordCount, "word")],
        [job.billedMinutes === 0 ? "free of charge" : `${counted(job.billedMinutes, "minute")} charged`],
      ]
      return `${nameOf(job)} is done: ${facts.flat().join(", ")}.`
    }
  }
}

/** The call that makes sense for a job that is not done. */
export const nextFor = (job: Job | JobSummary): string => {
  if (job.status === "failed") return failureOf(job).action ?? "Give another source."
  if (job.phase === "waiting_for_credits") {
    return "The job waits for credits: ask the person to buy some, then call get_transcription."
  }
  return `Call get_transcription with id ${job.id} and wait_seconds 50 until status is done or failed.`
}

export const iso = (moment: DateTime.Utc): string => DateTime.formatIso(moment)
