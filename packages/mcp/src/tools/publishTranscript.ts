import { counted } from "@earmark/core/text"
import { PublishedFormat } from "@earmark/core/wire"
import { Effect, Schema } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import * as fields from "./fields.js"
import { presetTo } from "./jsonSchema.js"
import { tool } from "./Tool.js"
import { ToolRefused } from "./ToolRefused.js"

const { optional } = fields

const Input = Schema.Struct({
  id: fields.transcriptionId,
  take_back: optional(presetTo(fields.flag("End the public addresses instead."), false)),
})

const Output = Schema.Struct({
  id: fields.transcriptionId,
  published: Schema.Boolean,
  files: Schema.Array(
    Schema.Struct({
      format: fields.choice("Format.", PublishedFormat.literals),
      url: fields.text("Public address."),
    }),
  ),
  feed_tags: Schema.Array(fields.text("A line for the episode's item in the feed.")),
  next_step: fields.nextStep,
})

const WEB = /^https?:/

const notServed = new ToolRefused({
  code: "local_only",
  detail: "Only a server has public addresses, and this one works on the person's own machine",
  action: "Write a site with earmark publish --out, or connect to a server of Earmark.",
})

const takeBack = (id: string) =>
  Effect.gen(function* () {
    const backend = yield* TranscriptionBackend
    yield* backend.ask("transcriptions.unpublish", { path: { id } })
    const next = "Its addresses lead nowhere now; nothing is left to do."
    return {
      structured: { id, published: false, files: [], feed_tags: [], next_step: next },
      lines: [`${id} is not published any more.`, next],
    }
  })

const publish = (id: string) =>
  Effect.gen(function* () {
    const backend = yield* TranscriptionBackend
    const { files, tags } = yield* backend.ask("transcriptions.publish", { path: { id }, body: {} })
    const lines = tags.chapters === null ? tags.transcripts : [...tags.transcripts, tags.chapters]
    const next = "Give the addresses to the person. feed_tags go into the item of the episode."
    return {
      structured: {
        id,
        published: true,
        files: files.map(({ format, url }) => ({ format, url })),
        feed_tags: lines,
        next_step: next,
      },
      lines: [`Published as ${counted(files.length, "file")}:`, ...files.map(({ url }) => url), next],
    }
  })

export const publishTranscript = tool({
  name: "publish_transcript",
  title: "Publish a transcript",
  description:
    "Give a finished transcription public addresses that anyone can open without a key: a page with player, captions, JSON, chapters, and the tags for the podcast feed. They stay until taken back (take_back) or the transcription is deleted. Ask the person first: everyone with the address can read it.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  scope: "transcriptions:write",
  input: Input,
  output: Output,
  run: Effect.fnUntraced(function* ({ id, take_back = false }) {
    const { baseUrl } = yield* TranscriptionBackend
    if (!WEB.test(baseUrl)) return yield* notServed
    return yield* take_back ? takeBack(id) : publish(id)
  }),
})
