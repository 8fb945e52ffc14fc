import { mediaTypeOf } from "@earmark/core/jobs"
import { trimEndOf } from "@earmark/core/text"
import { decodeRequest, RequestInvalid, type UploadHandshake, UploadRequest } from "@earmark/core/wire"
import { Clock, DateTime, Effect, Schema, Stream } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import * as fields from "./fields.js"
import { quoted } from "./foreignText.js"
import { iso } from "./jobs.js"
import { reread, type Told, type ToolCall, tool } from "./Tool.js"
import { ToolRefused } from "./ToolRefused.js"

const { optional } = fields

const LONGEST_BASE64 = 2_800_000

const Input = Schema.Struct({
  path: optional(fields.text("Local server only: absolute path of an audio or video file.")),
  filename: optional(fields.text("File name with extension.", { from: 1, to: 255 })),
  content_type: optional(fields.text("Media type, e.g. audio/mpeg.")),
  bytes: optional(fields.integer("Exact size in bytes.", { from: 1 })),
  content_base64: optional(fields.text("The file itself, only for small files.", { to: LONGEST_BASE64 })),
})

const Output = Schema.Struct({
  media_ref: fields.text("Pass this to transcribe."),
  uploaded: fields.flag("True when the bytes are already there."),
  upload_url: optional(fields.text("Where to PUT the bytes.")),
  method: optional(fields.choice("HTTP method.", ["PUT"])),
  headers: optional(
    Schema.Struct({
      "Content-Type": optional(fields.text("Send exactly this.")),
      "Content-Length": optional(fields.text("Send exactly this.")),
    }),
  ),
  upload_page: optional(fields.text("Page where a person can pick the file.")),
  curl: optional(fields.text("Ready shell command.")),
  expires_at: optional(fields.moment("End of upload_url.")),
  expires_in: optional(fields.integer("Seconds until upload_url ends.", { from: 0 })),
  max_bytes: optional(fields.integer("Largest accepted file.", { from: 1 })),
  next_step: fields.nextStep,
})

type Input = typeof Input.Type
type Answer = Told<typeof Output.Type>

const decodeUpload = decodeRequest(UploadRequest)

const invalid = (detail: string) => new ToolRefused({ code: "invalid_request", detail })

/** The argument is named as it was written: under its alias where it came so. */
const invalidAt = (name: keyof Input, detail: string) =>
  new RequestInvalid({ code: "invalid_request", problems: [{ pointer: `#/${name}`, detail }] })

const requestFor = (filename: string, contentType: string | undefined, bytes: number) => {
  const type = contentType ?? mediaTypeOf(filename)
  return type === null
    ? Effect.fail(
        invalid(`content_type: The name ${quoted(filename)} does not tell the media type; give content_type`),
      )
    : reread(decodeUpload({ filename, content_type: type, bytes }))
}

const uploaded = (mediaRef: string): Answer => {
  const next = `Call transcribe with media_ref ${mediaRef}.`
  return {
    structured: { media_ref: mediaRef, uploaded: true, next_step: next },
    lines: [`The file is uploaded as ${mediaRef}.`, next],
  }
}

const forShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const curlOf = ({ uploadUrl }: UploadHandshake, { filename = "FILE", contentType }: UploadRequest): string =>
  `curl -X PUT -H ${forShell(`Content-Type: ${contentType}`)} --data-binary ${forShell(`@${filename}`)} ${forShell(uploadUrl)}`

const handedOut = (handshake: UploadHandshake, request: UploadRequest, now: number): Answer => {
  const { uploadUrl, mediaRef, expiresIn, uploadPage } = handshake
  const curl = curlOf(handshake, request)
  const next = `Send the raw bytes with PUT to upload_url (or let the person open upload_page), then call transcribe with media_ref ${mediaRef}.`
  return {
    structured: {
      media_ref: mediaRef,
      uploaded: false,
      upload_url: uploadUrl,
      method: "PUT",
      headers: { "Content-Type": request.contentType, "Content-Length": String(request.bytes) },
      upload_page: uploadPage,
      curl,
      expires_at: iso(DateTime.unsafeMake(now + expiresIn * 1000)),
      expires_in: expiresIn,
      next_step: next,
    },
    lines: [
      `The upload can begin; its address works for ${expiresIn} seconds.`,
      curl,
      `Or open ${uploadPage}`,
      next,
    ],
  }
}

const fromPath = (path: string, input: Input, { files }: ToolCall) =>
  Effect.gen(function* () {
    const backend = yield* TranscriptionBackend
    if (files === null) {
      return yield* new ToolRefused({
        code: "local_only",
        detail: "path: Only a server on the person's own machine can read files",
        action: "Give filename, content_type and bytes, and send the file to the upload_url of the answer.",
      })
    }
    const file = yield* files.open(path)
    const request = yield* requestFor(file.filename, input.content_type, file.bytes)
    return uploaded(yield* backend.upload(request, file.content))
  }).pipe(Effect.scoped)

const BASE64 = /^[A-Za-z0-9+/\s]*$/
const PADDING = 2

/** The bytes; none for what is not base64. Blanks in it count for nothing. */
const decoded = (content: string): Uint8Array => {
  const whole = content.trimEnd()
  const letters = trimEndOf(whole, "=")
  const isBase64 = whole.length - letters.length <= PADDING && BASE64.test(letters)
  return Buffer.from(isBase64 ? letters : "", "base64")
}

const fromContent = (content: string, { filename, content_type, bytes }: Input) =>
  Effect.gen(function* () {
    const backend = yield* TranscriptionBackend
    if (filename === undefined) return yield* invalidAt("filename", "Name the file, such as talk.mp3")
    const file = decoded(content)
    if (file.byteLength === 0) {
      return yield* invalidAt("content_base64", "This is not base64, or holds nothing")
    }
    if (bytes !== undefined && bytes !== file.byteLength) {
      return yield* invalidAt("bytes", `The file has ${file.byteLength} bytes`)
    }
    const request = yield* requestFor(filename, content_type, file.byteLength)
    return uploaded(yield* backend.upload(request, Stream.make(file)))
  })

const begin = ({ filename, content_type, bytes }: Input, { files }: ToolCall) =>
  Effect.gen(function* () {
    const backend = yield* TranscriptionBackend
    if (filename === undefined || bytes === undefined) {
      const ways =
        files === null ? "filename, content_type and bytes" : "path, or filename, content_type and bytes"
      return yield* invalid(`Give ${ways}, or content_base64 with filename`)
    }
    const request = yield* requestFor(filename, content_type, bytes)
    const handshake = yield* backend.beginUpload(request)
    if (handshake === null) {
      return yield* new ToolRefused({
        code: "local_only",
        detail: "This server runs on the person's machine and takes no uploads",
        action: "Give path, the absolute path of the file.",
      })
    }
    return handedOut(handshake, request, yield* Clock.currentTimeMillis)
  })

export const uploadFile = tool({
  name: "upload_file",
  title: "Upload a media file",
  description:
    "Bring a file that has no public link. Local server: give path, the file is uploaded for you. Hosted connector: give filename, content_type and bytes; you get upload_url, send the raw file there with PUT and the two listed headers (curl line included), or open upload_page in a browser. Small files (up to 2 MB) may be given as content_base64 with filename. Then call transcribe with media_ref. Free. Never paste media into any other argument.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  scope: "transcriptions:write",
  input: Input,
  output: Output,
  run: (input, call) => {
    const { path, content_base64 } = input
    if (path !== undefined && content_base64 !== undefined) {
      return Effect.fail(invalidAt("content_base64", "Give this or path, not both"))
    }
    if (path !== undefined) return fromPath(path, input, call)
    return content_base64 === undefined ? begin(input, call) : fromContent(content_base64, input)
  },
})
