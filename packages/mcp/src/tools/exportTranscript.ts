import { lastEndingOf } from "@earmark/core/captions"
import { counted } from "@earmark/core/text"
import { decodeRequest, ExportFormat, ExportRequest } from "@earmark/core/wire"
import { Effect, Schema } from "effect"
import { type ExportedFile, TranscriptionBackend } from "../TranscriptionBackend.js"
import * as fields from "./fields.js"
import { CONTENT_CHARACTERS, jsonLength } from "./fitting.js"
import { marked } from "./foreignText.js"
import { iso } from "./jobs.js"
import { presetTo } from "./jsonSchema.js"
import { reread, type ToolCall, tool } from "./Tool.js"
import { ToolRefused } from "./ToolRefused.js"

const { optional } = fields

const INLINE = 16_000

const Input = Schema.Struct({
  id: fields.transcriptionId,
  format: optional(presetTo(fields.choice("File format.", ExportFormat.literals), "srt")),
  word_level: optional(presetTo(fields.flag("Timing per word instead of per line."), false)),
  speakers: optional(presetTo(fields.flag("Write speaker labels."), true)),
  language: optional(fields.language("ISO code of the translation to export; left out = the original.")),
  profile: optional(
    presetTo(
      fields.choice("Subtitle rules: line length, lines, reading speed.", ["standard", "podcast", "netflix"]),
      "standard",
    ),
  ),
  max_chars_per_line: optional(
    fields.integer("Subtitle line length; overrides the profile.", { from: 16, to: 80 }),
  ),
  max_lines: optional(fields.integer("Lines per subtitle; overrides the profile.", { from: 1, to: 4 })),
  inline_max_chars: optional(
    presetTo(fields.integer("Longer content is given as a link only.", { from: 0, to: 40_000 }), INLINE),
  ),
  save_to: optional(
    fields.text("Local server only: name of a new file, created in the folder for saved files."),
  ),
})

const Output = Schema.Struct({
  id: fields.transcriptionId,
  format: fields.text("Format."),
  filename: fields.text("Suggested name."),
  mime_type: fields.text("Media type."),
  bytes: fields.integer("Size.", { from: 0 }),
  cue_count: optional(fields.integer("Subtitles in the file.", { from: 0 })),
  content: optional(fields.text("The file, when short enough.")),
  resource_uri: fields.text("Readable with resources/read."),
  download_url: optional(fields.text("Signed link.")),
  expires_at: optional(fields.moment("End of download_url.")),
  saved_to: optional(fields.text("Local server: where it was written.")),
  next_step: fields.nextStep,
})

const decodeExport = decodeRequest(ExportRequest)

const CUE = /^.*-->.*$/gm

const isText = (mimeType: string): boolean => /^text\/|json$|x-subrip$/.test(mimeType)

const textOf = ({ content, mimeType }: ExportedFile): string | null =>
  isText(mimeType) ? new TextDecoder().decode(content) : null

/** The text of a file, when it is one and short enough to come with the answer in both of its forms. */
const inlineOf = (text: string | null, most: number): string | null =>
  text === null || text.length > most || jsonLength(text) > CONTENT_CHARACTERS ? null : text

/** The ending is ours to say: that of the suggested name comes from a service. */
const save = (name: string, format: ExportFormat, { content }: ExportedFile, { files }: ToolCall) =>
  files === null
    ? Effect.fail(
        new ToolRefused({
          code: "local_only",
          detail: "save_to: Only a server on the person's own machine can write files",
          action: "Repeat the call without save_to; the answer holds the content, or a link to it.",
        }),
      )
    : files.save(name, lastEndingOf(format), content)

export const exportTranscript = tool({
  name: "export_transcript",
  title: "Export subtitles or a document",
  description:
    "A finished transcription as a file: subtitles (srt, vtt), text (txt, md, html, docx), data (json, csv, tsv) or podcast files (podcast_json, chapters). Short text comes inline, the rest as a resource link and a download link that works for 15 minutes. Word-level timing needs a past purchase.",
  annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
  localAnnotations: {
    readOnlyHint: false,
    destructiveHint: false,
    openWorldHint: false,
    idempotentHint: false,
  },
  scope: "transcriptions:read",
  input: Input,
  output: Output,
  run: Effect.fnUntraced(function* (
    { id, format = "srt", inline_max_chars = INLINE, save_to, ...options },
    call,
  ) {
    const backend = yield* TranscriptionBackend
    const request = yield* reread(decodeExport({ format, ...options }))
    const file = yield* backend.export(id, request)
    const saved = save_to === undefined ? null : yield* save(save_to, format, file, call)
    const text = textOf(file)
    const inline = saved === null ? inlineOf(text, inline_max_chars) : null
    const link = saved === null && inline === null ? yield* backend.exportLink(id, request) : null
    const cues = format === "srt" || format === "vtt" ? (text?.match(CUE)?.length ?? 0) : undefined
    const resource = `transcription://${id}/export/${format}`
    const next =
      saved !== null
        ? "The file is written; nothing is left to do."
        : link !== null
          ? "Give download_url to the person; it works for 15 minutes."
          : inline !== null
            ? "The file is in content."
            : "Repeat the call with save_to to write the file on this machine."
    return {
      structured: {
        id,
        format,
        filename: file.filename,
        mime_type: file.mimeType,
        bytes: file.content.byteLength,
        ...(cues !== undefined && { cue_count: cues }),
        ...(inline !== null && { content: inline }),
        resource_uri: resource,
        ...(link !== null && { download_url: link.url, expires_at: iso(link.expiresAt) }),
        ...(saved !== null && { saved_to: saved }),
        next_step: next,
      },
      lines: [
        `${saved ?? file.filename}: ${file.mimeType}, ${counted(file.content.byteLength, "byte")}${cues === undefined ? "" : `, ${counted(cues, "subtitle")}`}.`,
        ...(link === null ? [] : [`Download: ${link.url}`]),
        next,
      ],
      ...(inline !== null && { foreign: [marked(id, inline)] }),
      links: [{ uri: resource, name: file.filename, mimeType: file.mimeType }],
    }
  }),
})
