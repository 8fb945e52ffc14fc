import { counted } from "@earmark/core/text"
import { Effect, Schema } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import * as fields from "./fields.js"
import { type Told, tool } from "./Tool.js"
import { ToolRefused } from "./ToolRefused.js"

const { optional } = fields

const Input = Schema.Struct({
  id: optional(fields.text("One transcription.", { from: 1, to: 64 })),
  batch_id: optional(
    fields.text("A whole feed run, as returned by transcribe_podcast_feed.", { from: 1, to: 64 }),
  ),
})

const Output = Schema.Struct({
  id: optional(fields.transcriptionId),
  batch_id: optional(fields.text("Feed run.")),
  status: optional(fields.status("State of the one job now.")),
  canceled: fields.integer("Jobs stopped by this call.", { from: 0 }),
  already_finished: fields.integer("Jobs that had ended before.", { from: 0 }),
  released_credits: optional(fields.number("Credits given back from hold.", { from: 0 })),
  next_step: fields.nextStep,
})

type Answer = Told<typeof Output.Type>

const ended = (canceled: number, finished: number, structured: object, next: string): Answer => ({
  structured: { ...structured, canceled, already_finished: finished, next_step: next },
  lines: [`${counted(canceled, "job")} stopped, ${finished} had ended before.`, next],
})

const cancelOne = (id: string) =>
  Effect.gen(function* () {
    const backend = yield* TranscriptionBackend
    // A job that has ended cannot be stopped; that is what a repeated call finds.
    const stopped = yield* backend.ask("transcriptions.cancel", { path: { id } }).pipe(
      Effect.as(true),
      Effect.catchIf(
        ({ code }) => code === "invalid_state",
        () => Effect.succeed(false),
      ),
    )
    const { status } = yield* backend.get(id)
    const next = stopped
      ? "Nothing is charged. Call transcribe again when it is wanted after all."
      : status === "done"
        ? `It was finished before: call get_transcription with id ${id} to read it.`
        : "It had ended before; nothing has changed."
    return ended(stopped ? 1 : 0, stopped ? 0 : 1, { id, status }, next)
  })

const cancelRun = (batchId: string) =>
  Effect.gen(function* () {
    const backend = yield* TranscriptionBackend
    const { canceled, alreadyEnded } = yield* backend.ask("podcasts.cancelBatch", { path: { id: batchId } })
    const next = `Call list_transcriptions with batch_id ${batchId} for what was finished.`
    return ended(canceled, alreadyEnded, { batch_id: batchId }, next)
  })

export const cancelTranscription = tool({
  name: "cancel_transcription",
  title: "Cancel a transcription or a feed run",
  description:
    "Stop unfinished work: one job (id) or a feed run (batch_id). Give exactly one. Cancelled jobs are not charged, end as failed with code canceled and cannot be resumed.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  scope: "transcriptions:write",
  input: Input,
  output: Output,
  run: ({ id, batch_id }) => {
    if (id !== undefined && batch_id === undefined) return cancelOne(id)
    if (batch_id !== undefined && id === undefined) return cancelRun(batch_id)
    return Effect.fail(
      new ToolRefused({ code: "invalid_request", detail: "Give exactly one of id and batch_id" }),
    )
  },
})
