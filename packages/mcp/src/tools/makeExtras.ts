import { Effect, Schema } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import * as fields from "./fields.js"
import { tool } from "./Tool.js"
import { ToolRefused } from "./ToolRefused.js"

const { optional } = fields

const Input = Schema.Struct({
  id: fields.text("Id.", { from: 1, to: 64 }),
  summary: optional(fields.flag("Make one.")),
  chapters: optional(fields.flag("Make them.")),
  translate_to: optional(fields.language("ISO code.")),
})

const Output = Schema.Struct({ next_step: fields.nextStep })

export const makeExtras = tool({
  name: "make_extras",
  title: "Make extras",
  description: "Make a summary, chapters or a translation of a finished transcription. Free.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  scope: "transcriptions:write",
  input: Input,
  output: Output,
  run: Effect.fnUntraced(function* ({ id, summary, chapters, translate_to: translateTo }) {
    if (summary !== true && chapters !== true && translateTo === undefined)
      return yield* new ToolRefused({
        code: "invalid_request",
        detail: "Nothing was asked for",
        action: "Give summary, chapters or translate_to.",
      })
    const backend = yield* TranscriptionBackend
    yield* backend.ask("transcriptions.extras", {
      path: { id },
      body: {
        ...(summary === true && { summary }),
        ...(chapters === true && { chapters }),
        ...(translateTo !== undefined && { translateTo }),
      },
    })
    const view = summary === true ? "summary" : "chapters"
    const next =
      translateTo === undefined
        ? `Call get_transcription with id ${id} and view ${view} in some seconds.`
        : `Call export_transcript with id ${id}, format txt and language ${translateTo} in some seconds.`
    return { structured: { next_step: next }, lines: ["They are being made.", next] }
  }),
})
