import {
  CreateTranscription,
  decodeCreate,
  decodeListQuery,
  ExportLink,
  ExportQuery,
  ExportRequest,
  ListQuery,
  PatchTranscription,
  ReadQuery,
} from "../wire/index.js"
import {
  AnyJob,
  CountsOfJobs,
  DoneAcknowledgement,
  JobEvent,
  JobOfList,
  JobPage,
  QueuedAcknowledgement,
} from "./answers.js"
import { operation } from "./Operation.js"
import { BODY_PROBLEMS, REPEAT_PROBLEMS, SOURCE_PROBLEMS } from "./refusals.js"

export const transcriptions = {
  "transcriptions.create": operation({
    method: "POST",
    path: "/api/v1/transcriptions",
    scope: "transcriptions:write",
    rate: "create",
    summary: "Create a transcription",
    description:
      "Exactly one of `url`, `media_ref` and `blob_url` names the source. With `transcript_text` the text is given, and each of its words gets its time. 202: the job is queued. 200: the result is cached or comes from published captions, and is there at once.",
    isRepeatable: true,
    location: "/api/v1/transcriptions/{id}",
    body: CreateTranscription,
    reads: decodeCreate,
    answers: { 202: QueuedAcknowledgement, 200: DoneAcknowledgement },
    problems: [
      "missing_source",
      "multiple_sources",
      "out_of_credits",
      "key_limit_reached",
      "feature_locked",
      "too_many_jobs",
      ...BODY_PROBLEMS,
      ...REPEAT_PROBLEMS,
      ...SOURCE_PROBLEMS,
    ],
  }),

  "transcriptions.list": operation({
    method: "GET",
    path: "/api/v1/transcriptions",
    scope: "transcriptions:read",
    rate: "read",
    summary: "List transcriptions",
    description:
      "Without text, segments and extras. `q` is looked for in titles; texts are searched with `transcriptions.searchAll`. Pages do not shift when jobs are added.",
    query: ListQuery,
    reads: decodeListQuery,
    isCompressed: true,
    answers: { 200: JobPage },
  }),

  "transcriptions.counts": operation({
    method: "GET",
    path: "/api/v1/counts",
    scope: "transcriptions:read",
    rate: "read",
    summary: "Count transcriptions by status",
    description:
      "How many transcriptions of the account are queued, done and failed. 10,000 means so many or more.",
    answers: { 200: CountsOfJobs },
  }),

  "transcriptions.get": operation({
    method: "GET",
    path: "/api/v1/transcriptions/:id",
    scope: "transcriptions:read",
    rate: "read",
    summary: "Get a transcription",
    description:
      "With `wait`, answers as soon as the job ends, or after so many seconds. The `ETag` changes with the job; `If-None-Match` is answered with 304. With `revision`, the transcript as it was then; 0 is what was heard.",
    query: ReadQuery,
    hasEtag: true,
    isCompressed: true,
    answers: { 200: AnyJob },
    problems: ["not_found", "expired"],
  }),

  "transcriptions.events": operation({
    method: "GET",
    path: "/api/v1/transcriptions/:id/events",
    scope: "transcriptions:read",
    rate: "read",
    summary: "Follow a transcription",
    description:
      "Server-sent events: `progress`; `segment`, each line as soon as it is recognised (before speakers are told apart); `done` or `failed` as the last event. Reconnect with the `id` of the last event in `Last-Event-ID`: nothing is lost, and no line comes twice, whichever process answers. 204: the end was told already. Every 15 seconds without news there is a comment.",
    form: "events",
    answers: { 200: JobEvent, 204: null },
    problems: ["not_found"],
  }),

  "transcriptions.update": operation({
    method: "PATCH",
    path: "/api/v1/transcriptions/:id",
    scope: "transcriptions:write",
    rate: "read",
    summary: "Change title, metadata or speaker names",
    description: "A field left out stays as it is; null takes it away.",
    body: PatchTranscription,
    answers: { 200: JobOfList },
    problems: ["not_found", ...BODY_PROBLEMS],
  }),

  "transcriptions.delete": operation({
    method: "DELETE",
    path: "/api/v1/transcriptions/:id",
    scope: "transcriptions:write",
    rate: "read",
    summary: "Delete a transcription",
    description: "A running job is canceled first. Text and media are gone.",
    answers: { 204: null },
    problems: ["not_found"],
  }),

  "transcriptions.cancel": operation({
    method: "POST",
    path: "/api/v1/transcriptions/:id/cancel",
    scope: "transcriptions:write",
    rate: "read",
    summary: "Cancel a transcription",
    description: "A canceled job is `failed` with the code `canceled`, and bills nothing.",
    answers: { 200: JobOfList },
    problems: ["not_found", "invalid_state"],
  }),

  "transcriptions.retry": operation({
    method: "POST",
    path: "/api/v1/transcriptions/:id/retry",
    scope: "transcriptions:write",
    rate: "create",
    summary: "Try a failed transcription again",
    description: "With the options that it was created with.",
    answers: { 200: JobOfList },
    problems: ["not_found", "invalid_state", "out_of_credits", "key_limit_reached"],
  }),

  "transcriptions.export": operation({
    method: "GET",
    path: "/api/v1/transcriptions/:id/export",
    scope: "transcriptions:read",
    rate: "read",
    summary: "Export a transcript",
    description:
      "The content type is that of the format. With `revision`, the transcript as it was then; 0 is what was heard.",
    query: ExportQuery,
    hasEtag: true,
    form: "file",
    answers: {},
    problems: ["not_found", "expired", "invalid_state", "no_word_timing", "feature_locked"],
  }),

  "transcriptions.exportLink": operation({
    method: "POST",
    path: "/api/v1/transcriptions/:id/export-link",
    scope: "transcriptions:read",
    rate: "read",
    summary: "Make a link to an export",
    description:
      "The address needs no key, and is good for 15 minutes. Without `revision` it gives the newest, also what is corrected meanwhile.",
    body: ExportRequest,
    answers: { 200: ExportLink },
    problems: ["not_found", "expired", "invalid_state", "no_word_timing", "feature_locked", ...BODY_PROBLEMS],
  }),
} as const
