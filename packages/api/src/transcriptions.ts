import {
  CreateTranscription,
  ExportLink,
  ExportQuery,
  ExportRequest,
  ListQuery,
  PatchTranscription,
  ReadQuery,
  SearchAllQuery,
  SearchQuery,
} from "@earmark/core/jobs"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema, Struct } from "effect"
import { ApiKeyRequired, ById, guarded, RepeatHeaders } from "./Access.js"
import {
  AnyJob,
  DoneAcknowledgement,
  JobEvent,
  JobOfList,
  JobPage,
  QueuedAcknowledgement,
  SearchPage,
} from "./answers.js"
import { BODY_PROBLEMS, problems, REPEAT_PROBLEMS, SOURCE_PROBLEMS } from "./problems.js"

const JOBS = "/api/v1/transcriptions"

/** `metadata[name]=value` is part of the query too; OpenAPI says it in its own way. */
const ListParameters = Schema.Struct(Struct.omit(ListQuery.fields, "metadata"))

const ofJob = problems("not_found")

export const create = HttpApiEndpoint.post("create", JOBS)
  .setHeaders(RepeatHeaders)
  .setPayload(CreateTranscription)
  .addSuccess(QueuedAcknowledgement, { status: 202 })
  .addSuccess(DoneAcknowledgement, { status: 200 })
  .addError(
    problems(
      "missing_source",
      "multiple_sources",
      "out_of_credits",
      "feature_locked",
      "too_many_jobs",
      ...BODY_PROBLEMS,
      ...REPEAT_PROBLEMS,
      ...SOURCE_PROBLEMS,
    ),
  )
  .annotateContext(
    guarded("transcriptions:write", "create", {
      summary: "Create a transcription",
      description:
        "Exactly one of `url`, `media_ref` and `blob_url` names the source. With `transcript_text` the text is given, and each of its words gets its time. 202: the job is queued. 200: the result is cached or comes from published captions, and is there at once.",
    }),
  )

export const get = HttpApiEndpoint.get("get", `${JOBS}/:id`)
  .setPath(ById)
  .setUrlParams(ReadQuery)
  .addSuccess(AnyJob)
  .addError(problems("not_found", "expired"))
  .annotateContext(
    guarded("transcriptions:read", "read", {
      summary: "Get a transcription",
      description:
        "With `wait`, answers as soon as the job ends, or after so many seconds. The `ETag` changes with the job; `If-None-Match` is answered with 304.",
    }),
  )

export const events = HttpApiEndpoint.get("events", `${JOBS}/:id/events`)
  .setPath(ById)
  .addSuccess(HttpApiSchema.withEncoding(JobEvent, { kind: "Json", contentType: "text/event-stream" }))
  .addSuccess(HttpApiSchema.NoContent)
  .addError(problems("not_found"))
  .annotateContext(
    guarded("transcriptions:read", "read", {
      summary: "Follow a transcription",
      description:
        "Server-sent events: `progress`; `segment`, each line as soon as it is recognised (before speakers are told apart); last of all `done` or `failed`. Reconnect with the `id` of the last event in `Last-Event-ID`: nothing is lost, and no line comes twice, whichever process answers. 204: the end was told already. Every 15 seconds without news there is a comment.",
    }),
  )

export const list = HttpApiEndpoint.get("list", JOBS)
  .setUrlParams(ListParameters)
  .addSuccess(JobPage)
  .annotateContext(
    guarded("transcriptions:read", "read", {
      summary: "List transcriptions",
      description: "Without text, segments and extras. Pages do not shift when jobs are added.",
    }),
  )

export const patch = HttpApiEndpoint.patch("update", `${JOBS}/:id`)
  .setPath(ById)
  .setPayload(PatchTranscription)
  .addSuccess(JobOfList)
  .addError(problems("not_found", ...BODY_PROBLEMS))
  .annotateContext(
    guarded("transcriptions:write", "read", {
      summary: "Change title, metadata or speaker names",
      description: "A field left out stays as it is; null takes it away.",
    }),
  )

export const remove = HttpApiEndpoint.del("delete", `${JOBS}/:id`)
  .setPath(ById)
  .addSuccess(HttpApiSchema.NoContent)
  .addError(ofJob)
  .annotateContext(
    guarded("transcriptions:write", "read", {
      summary: "Delete a transcription",
      description: "A running job is canceled first. Text and media are gone.",
    }),
  )

export const cancel = HttpApiEndpoint.post("cancel", `${JOBS}/:id/cancel`)
  .setPath(ById)
  .addSuccess(JobOfList)
  .addError(problems("not_found", "invalid_state"))
  .annotateContext(
    guarded("transcriptions:write", "read", {
      summary: "Cancel a transcription",
      description: "A canceled job is `failed` with the code `canceled`, and bills nothing.",
    }),
  )

export const retry = HttpApiEndpoint.post("retry", `${JOBS}/:id/retry`)
  .setPath(ById)
  .addSuccess(JobOfList)
  .addError(problems("not_found", "invalid_state", "out_of_credits"))
  .annotateContext(
    guarded("transcriptions:write", "create", {
      summary: "Try a failed transcription again",
      description: "With the options that it was created with.",
    }),
  )

export const exportFile = HttpApiEndpoint.get("export", `${JOBS}/:id/export`)
  .setPath(ById)
  .setUrlParams(ExportQuery)
  .addSuccess(HttpApiSchema.Text({ contentType: "text/plain" }))
  .addError(problems("not_found", "expired", "invalid_state", "no_word_timing", "feature_locked"))
  .annotateContext(
    guarded("transcriptions:read", "read", {
      summary: "Export a transcript",
      description: "The content type is that of the format.",
    }),
  )

export const exportLink = HttpApiEndpoint.post("exportLink", `${JOBS}/:id/export-link`)
  .setPath(ById)
  .setPayload(ExportRequest)
  .addSuccess(ExportLink)
  .addError(
    problems("not_found", "expired", "invalid_state", "no_word_timing", "feature_locked", ...BODY_PROBLEMS),
  )
  .annotateContext(
    guarded("transcriptions:read", "read", {
      summary: "Make a link to an export",
      description: "The address needs no key, and is good for 15 minutes.",
    }),
  )

export const search = HttpApiEndpoint.get("search", `${JOBS}/:id/search`)
  .setPath(ById)
  .setUrlParams(SearchQuery)
  .addSuccess(SearchPage)
  .addError(problems("not_found", "expired", "invalid_state"))
  .annotateContext(
    guarded("transcriptions:read", "read", {
      summary: "Search in a transcript",
      description: "Lines that hold every word of `q`, with the lines around them.",
    }),
  )

export const searchAll = HttpApiEndpoint.get("searchAll", "/api/v1/search")
  .setUrlParams(SearchAllQuery)
  .addSuccess(SearchPage)
  .annotateContext(
    guarded("transcriptions:read", "read", {
      summary: "Search in all transcripts",
      description: "A page may be short and have a next one.",
    }),
  )

/** Jobs, from their creation to their export. */
export const transcriptions = HttpApiGroup.make("transcriptions")
  .add(create)
  .add(list)
  .add(get)
  .add(events)
  .add(patch)
  .add(remove)
  .add(cancel)
  .add(retry)
  .add(exportFile)
  .add(exportLink)
  .add(search)
  .add(searchAll)
  .middleware(ApiKeyRequired)
  .annotateContext(OpenApi.annotations({ description: "Jobs: created, read, exported and searched." }))
