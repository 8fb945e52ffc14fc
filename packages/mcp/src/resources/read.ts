import { exportFormatNames } from "@earmark/core/captions"
import type { DoneJob, Job } from "@earmark/core/jobs"
import { Credits, decodeRequest, ExportRequest } from "@earmark/core/wire"
import { type ReadResourceResult, ResourceNotFoundError } from "@modelcontextprotocol/server"
import { Effect, Schema } from "effect"
import { BackendRefused } from "../BackendRefused.js"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import { CONTENT_CHARACTERS, clipped } from "../tools/fitting.js"
import { clock } from "../tools/foreignText.js"
import { shownJob } from "../tools/jobs.js"
import { pageEnd, rangeOf } from "../tools/reading/pages.js"
import { viewOfJob } from "../tools/reading/viewsOfJob.js"
import { CREDITS, parseAddress, type ResourceAddress } from "./address.js"

type Contents = ReadResourceResult["contents"]

/** As much of a transcript as one page of get_transcription holds. */
const PAGE = 16_000

const json = (uri: string, value: unknown): Contents[number] => ({
  uri,
  mimeType: "application/json",
  text: JSON.stringify(value),
})

const plain = (uri: string, text: string): Contents[number] => ({ uri, mimeType: "text/plain", text })

const refused = (detail: string, remedy?: string) =>
  new BackendRefused({ code: "invalid_state", detail, ...(remedy !== undefined && { remedy }) })

const finished = (job: Job): Effect.Effect<DoneJob, BackendRefused> =>
  job.status === "done"
    ? Effect.succeed(job)
    : Effect.fail(refused(`The transcription is ${job.status}; only one that is done has a transcript`))

/** A page of a long text, and where the rest is. */
const pageOf = (job: DoneJob, view: "text" | "segments", { start = 0, end }: ResourceAddress) => {
  const whole = viewOfJob(job, view) ?? { pieces: [], offsets: [0] }
  const range = rangeOf(whole, { from: start * 1000, to: (end ?? Number.POSITIVE_INFINITY) * 1000 })
  const last = pageEnd(whole, range, PAGE)
  const pieces = whole.pieces.slice(range.first, last)
  const next = last < range.last ? whole.pieces[last] : undefined
  const until = end === undefined ? "" : `&end=${end}`
  return {
    pieces,
    rest: next === undefined ? null : `transcription://${job.id}/${view}?start=${next.start / 1000}${until}`,
  }
}

const textContents = (uri: string, job: DoneJob, address: ResourceAddress): Contents => {
  const { pieces, rest } = pageOf(job, "text", address)
  const text = plain(uri, pieces.map((piece) => piece.text).join(""))
  return rest === null ? [text] : [text, plain(rest, `The text goes on at ${rest}`)]
}

const segmentContents = (uri: string, job: DoneJob, address: ResourceAddress): Contents => {
  const { pieces, rest } = pageOf(job, "segments", address)
  const segments = pieces.flatMap(({ line }) => (line === null ? [] : [line]))
  return [json(uri, { id: job.id, segments, ...(rest !== null && { next: rest }) })]
}

const decodeExport = decodeRequest(ExportRequest)

const exportContents = (uri: string, { id, format }: ResourceAddress) =>
  Effect.gen(function* () {
    const backend = yield* TranscriptionBackend
    const request = yield* Effect.mapError(
      decodeExport({ format }),
      () =>
        new BackendRefused({
          code: "invalid_request",
          detail: `There is no format ${format}`,
          remedy: `Use one of ${exportFormatNames.join(", ")}.`,
        }),
    )
    const { content, mimeType } = yield* backend.export(id, request)
    const isText = format !== "docx"
    const encoded = isText ? new TextDecoder().decode(content) : Buffer.from(content).toString("base64")
    if (encoded.length <= CONTENT_CHARACTERS) {
      return [isText ? { uri, mimeType, text: encoded } : { uri, mimeType, blob: encoded }]
    }
    const link = yield* backend.exportLink(id, request)
    const where =
      link === null ? "Save it with export_transcript and save_to." : `Download it from ${link.url}`
    return [plain(uri, `The file is too long for a resource (${content.byteLength} bytes). ${where}`)]
  })

const partOf = (uri: string, address: ResourceAddress, job: Job) =>
  Effect.gen(function* () {
    const backend = yield* TranscriptionBackend
    if (address.part === "record") return [json(uri, shownJob(job, backend.baseUrl))]
    const done = yield* finished(job)
    switch (address.part) {
      case "text":
        return textContents(uri, done, address)
      case "segments":
        return segmentContents(uri, done, address)
      case "export":
        return yield* exportContents(uri, address)
      case "summary":
        return done.summary === undefined
          ? yield* refused("The transcription has no summary yet", "Make one with the tool make_extras.")
          : [plain(uri, clipped(done.summary, CONTENT_CHARACTERS))]
      case "chapters":
        return done.chapters === undefined
          ? yield* refused("The transcription has no chapters yet", "Make them with the tool make_extras.")
          : [
              plain(
                uri,
                clipped(
                  done.chapters.map(({ start, title }) => `${clock(start)} ${title}`).join("\n"),
                  CONTENT_CHARACTERS,
                ),
              ),
            ]
    }
  })

const encodeCredits = Schema.encode(Credits)

const credits = Effect.gen(function* () {
  const backend = yield* TranscriptionBackend
  return [json(CREDITS, yield* Effect.orDie(encodeCredits(yield* backend.ask("credits.get", {}))))]
})

const HOUR = 3_600_000

/** The content of a resource. What nobody has and what another account has is the same: not found. */
export const readResource = (
  uri: string,
): Effect.Effect<ReadResourceResult, BackendRefused | ResourceNotFoundError, TranscriptionBackend> =>
  Effect.gen(function* () {
    if (uri === CREDITS) return { contents: yield* credits }
    const address = parseAddress(uri)
    if (address === null) return yield* Effect.fail(new ResourceNotFoundError(uri))
    const backend = yield* TranscriptionBackend
    const job = yield* backend
      .get(address.id)
      .pipe(Effect.mapError((error) => (error.code === "not_found" ? new ResourceNotFoundError(uri) : error)))
    const contents = yield* partOf(uri, address, job)
    // What is finished changes only when somebody renames something in it.
    return { contents, ...(job.status === "done" && { ttlMs: HOUR, cacheScope: "private" as const }) }
  })
