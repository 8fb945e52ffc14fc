import {
  AskAllRequest,
  AskRequest,
  EditRequest,
  EditsQuery,
  ExtrasRequest,
  PublishRequest,
  SearchAllQuery,
  SearchQuery,
  WaveformQuery,
} from "../wire/index.js"
import {
  AnswerToQuestion,
  EditedTranscript,
  ExtrasOfTranscript,
  LinkToMedia,
  PublishedTranscription,
  RevisionPage,
  SearchPage,
  WordsOfTranscript,
} from "./answers.js"
import { operation } from "./Operation.js"
import { BODY_PROBLEMS, REPEAT_PROBLEMS } from "./refusals.js"

/** What is done with the text of a transcription: looked at, corrected, searched, asked and published. */
export const transcripts = {
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
