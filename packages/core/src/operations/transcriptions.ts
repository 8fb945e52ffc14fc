import {
  AskAllRequest,
  AskRequest,
  CreateTranscription,
  decodeCreate,
  decodeListQuery,
  EditRequest,
  EditsQuery,
  ExportLink,
  ExportQuery,
  ExportRequest,
  ExtrasRequest,
  ListQuery,
  PatchTranscription,
  PublishRequest,
  ReadQuery,
  SearchAllQuery,
  SearchQuery,
  WaveformQuery,
} from "../wire/index.js"
import {
  AnswerToQuestion,
  AnyJob,
  CountsOfJobs,
  DoneAcknowledgement,
  EditedTranscript,
  ExtrasOfTranscript,
  JobEvent,
  JobOfList,
  JobPage,
  LinkToMedia,
  PublishedTranscription,
  QueuedAcknowledgement,
  RevisionPage,
  SearchPage,
  WordsOfTranscript,
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
    description: "Without text, segments and extras. Pages do not shift when jobs are added.",
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

  "transcriptions.words": operation({
    method: "GET",
    path: "/api/v1/transcriptions/:id/words",
    scope: "transcriptions:read",
    rate: "read",
    summary: "Get the times of the words",
    description:
      "For players: where each word stands in the text of its segment, when it is said, and how sure the engine was, in columns of differences. Ten hours of speech take less than 300 kB compressed. `decodeWords` of `@earmark/core/text` reads them.",
    hasEtag: true,
    isCompressed: true,
    answers: { 200: WordsOfTranscript },
    problems: ["not_found", "expired", "invalid_state", "no_word_timing", "feature_locked"],
  }),

  "transcriptions.mediaLink": operation({
    method: "POST",
    path: "/api/v1/transcriptions/:id/media-link",
    scope: "transcriptions:read",
    rate: "read",
    summary: "Make a link to the recording",
    description:
      "The address needs no key, is good for 6 hours, and answers `Range`: give it to an audio element. It is that of the listening copy where one was made, else that of the upload. What a link led to is kept as a listening copy only.",
    answers: { 200: LinkToMedia },
    problems: ["not_found", "recording_not_kept", "expired"],
  }),

  "transcriptions.waveform": operation({
    method: "GET",
    path: "/api/v1/transcriptions/:id/waveform",
    scope: "transcriptions:read",
    rate: "read",
    summary: "Get the waveform of the recording",
    description:
      "One byte a point, 0 to 255: the greatest sample of the part of the recording that the point stands for. Stored are 20 points a second. It is there for what was transcribed from its sound.",
    query: WaveformQuery,
    hasEtag: true,
    form: "bytes",
    answers: {},
    problems: ["not_found", "recording_not_kept", "expired"],
  }),

  "transcriptions.publish": operation({
    method: "PUT",
    path: "/api/v1/transcriptions/:id/publication",
    scope: "transcriptions:write",
    rate: "read",
    summary: "Publish a transcript",
    description:
      "Gives the transcript addresses that need no key and stay the same, and the tags that tell podcast players of them. The files follow every change of the transcript. Publishing again keeps the addresses and takes the formats named.",
    body: PublishRequest,
    answers: { 200: PublishedTranscription },
    problems: ["not_found", "expired", "invalid_state", ...BODY_PROBLEMS],
  }),

  "transcriptions.publication": operation({
    method: "GET",
    path: "/api/v1/transcriptions/:id/publication",
    scope: "transcriptions:read",
    rate: "read",
    summary: "Get where a transcript is published",
    answers: { 200: PublishedTranscription },
    problems: ["not_found"],
  }),

  "transcriptions.unpublish": operation({
    method: "DELETE",
    path: "/api/v1/transcriptions/:id/publication",
    scope: "transcriptions:write",
    rate: "read",
    summary: "Take back a published transcript",
    description:
      "Its addresses answer 404 from now on, and are not given out again. Nothing happens where it is not published.",
    answers: { 204: null },
    problems: ["not_found"],
  }),

  "transcriptions.edit": operation({
    method: "POST",
    path: "/api/v1/transcriptions/:id/edits",
    scope: "transcriptions:write",
    rate: "read",
    summary: "Correct a transcript",
    description:
      "Applies all operations in order as the next revision, or none of them. Each names a line, counted from 0, as the operations before it left them. `base_revision` is the `revision` that you read; 409 `revision_conflict` tells the newest where somebody was faster. What was heard is kept as revision 0.",
    isRepeatable: true,
    body: EditRequest,
    answers: { 200: EditedTranscript },
    problems: [
      "not_found",
      "expired",
      "invalid_state",
      "revision_conflict",
      "invalid_edit",
      ...BODY_PROBLEMS,
      ...REPEAT_PROBLEMS,
    ],
  }),

  "transcriptions.edits": operation({
    method: "GET",
    path: "/api/v1/transcriptions/:id/edits",
    scope: "transcriptions:read",
    rate: "read",
    summary: "List the corrections of a transcript",
    description: "Newest first.",
    query: EditsQuery,
    answers: { 200: RevisionPage },
    problems: ["not_found"],
  }),

  "transcriptions.undoEdit": operation({
    method: "POST",
    path: "/api/v1/transcriptions/:id/edits/:revision/undo",
    scope: "transcriptions:write",
    rate: "read",
    summary: "Undo a correction",
    description:
      "Takes back what one revision changed, as a new revision. 409 `invalid_state` where a later revision changed the same lines: undo that one first.",
    answers: { 200: EditedTranscript },
    problems: ["not_found", "expired", "invalid_state", "revision_conflict", "invalid_edit"],
  }),

  "transcriptions.extras": operation({
    method: "POST",
    path: "/api/v1/transcriptions/:id/extras",
    scope: "transcriptions:write",
    rate: "create",
    summary: "Ask for extras of a transcript",
    description:
      "A summary, chapters or a translation of the newest revision. They cost nothing. `enrichment` of the transcription says how each fares. What is there already is made again only where it failed or is stale; ask once for each language of translation.",
    body: ExtrasRequest,
    answers: { 202: ExtrasOfTranscript },
    problems: ["not_found", "expired", "invalid_state", "language_unsupported", ...BODY_PROBLEMS],
  }),

  "transcriptions.search": operation({
    method: "GET",
    path: "/api/v1/transcriptions/:id/search",
    scope: "transcriptions:read",
    rate: "read",
    summary: "Search in a transcript",
    description: "Lines that hold every word of `q`, with the lines around them.",
    query: SearchQuery,
    isCompressed: true,
    answers: { 200: SearchPage },
    problems: ["not_found", "expired", "invalid_state"],
  }),

  "transcriptions.searchAll": operation({
    method: "GET",
    path: "/api/v1/search",
    scope: "transcriptions:read",
    rate: "read",
    summary: "Search in all transcripts",
    description: "A page may be short and have a next one.",
    query: SearchAllQuery,
    isCompressed: true,
    answers: { 200: SearchPage },
  }),

  "transcriptions.ask": operation({
    method: "POST",
    path: "/api/v1/transcriptions/:id/ask",
    scope: "transcriptions:read",
    rate: "create",
    summary: "Ask a question about a transcript",
    description:
      "Each claim cites words that were compared with the transcript. Without a language model the best passages answer, word for word.",
    body: AskRequest,
    answers: { 200: AnswerToQuestion },
    problems: ["not_found", "expired", "invalid_state", ...BODY_PROBLEMS],
  }),

  "transcriptions.askAll": operation({
    method: "POST",
    path: "/api/v1/ask",
    scope: "transcriptions:read",
    rate: "create",
    summary: "Ask a question about several transcripts",
    description:
      "Exactly one of `ids`, `batch_id` and `all` names them. Those that fit the question best are read, at most 32; `coverage` says how many there are.",
    body: AskAllRequest,
    answers: { 200: AnswerToQuestion },
    problems: ["not_found", "expired", "invalid_state", ...BODY_PROBLEMS],
  }),
} as const
