import { decodeListQuery } from "@earmark/core/wire"
import type { ListResourcesResult, Resource, ResourceTemplateType } from "@modelcontextprotocol/server"
import { Effect } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import { reread } from "../tools/Tool.js"
import { CREDITS } from "./address.js"

const LISTED = "50"

const creditsResource: Resource = {
  uri: CREDITS,
  name: "credits",
  title: "Credit balance",
  description: "Credits left, what running jobs hold, and what the account may use.",
  mimeType: "application/json",
}

export const templates: ReadonlyArray<ResourceTemplateType> = [
  {
    uriTemplate: "transcription://{id}",
    name: "transcription",
    title: "Transcription",
    description: "State and facts of a transcription.",
    mimeType: "application/json",
  },
  {
    uriTemplate: "transcription://{id}/text{?start,end}",
    name: "transcript-text",
    title: "Transcript",
    description: "What was said, from one second to another when they are given; long texts in pages.",
    mimeType: "text/plain",
  },
  {
    uriTemplate: "transcription://{id}/segments{?start,end}",
    name: "transcript-segments",
    title: "Transcript with times",
    description: "Timed lines with their speakers; long ones in pages.",
    mimeType: "application/json",
  },
  {
    uriTemplate: "transcription://{id}/export/{format}",
    name: "transcript-export",
    title: "Subtitles or document",
    description: "srt, vtt, txt, md, json, podcast_json, chapters, csv, tsv, html or docx.",
  },
  {
    uriTemplate: "transcription://{id}/summary",
    name: "transcript-summary",
    title: "Summary",
    description: "When the transcription was made with one.",
    mimeType: "text/plain",
  },
  {
    uriTemplate: "transcription://{id}/chapters",
    name: "transcript-chapters",
    title: "Chapters",
    description: "When the transcription was made with them.",
    mimeType: "text/plain",
  },
]

/** The newest transcriptions, page by page, and on the first page what is not one. */
export const listResources = (cursor: string | undefined) =>
  Effect.gen(function* () {
    const backend = yield* TranscriptionBackend
    const query = yield* reread(decodeListQuery({ limit: LISTED, ...(cursor !== undefined && { cursor }) }))
    const { data, nextCursor } = yield* backend.ask("transcriptions.list", { query })
    const listed = data.map(
      (job): Resource => ({
        uri: `transcription://${job.id}${job.status === "done" ? "/text" : ""}`,
        name: job.id,
        title: job.title ?? job.id,
        mimeType: job.status === "done" ? "text/plain" : "application/json",
      }),
    )
    const result: ListResourcesResult = {
      resources: cursor === undefined ? [creditsResource, ...listed] : listed,
      ...(nextCursor !== null && { nextCursor }),
    }
    return result
  })
