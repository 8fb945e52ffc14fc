/** Transcriptions as whisper-asr-webservice offers them, which programs for media libraries know how to ask for. */
import type { SpokenSegment } from "@earmark/core/jobs"
import { languageNameOf } from "@earmark/core/text"
import { Effect, Either } from "effect"
import { Refusal } from "../answers/Refusal.js"
import { jsonReply, type Reply } from "../answers/Reply.js"
import type { Failure } from "../answers/refusalOf.js"
import type { Arrived, Caller } from "../requests/Arrived.js"
import { readQuery } from "../requests/readQuery.js"
import type { Route } from "../routes/Route.js"
import { type AsrRequest, asrRequest, detectRequest } from "./asrRequest.js"
import type { Heard } from "./Heard.js"
import type { Hearing } from "./hearing.js"
import { captionsReply, segmentOf, textReply, wordOf } from "./openAiAnswer.js"

const FILE_FIELD = "audio_file"

const noLanguage = new Refusal({
  code: "unsupported_media",
  detail:
    "The language of this recording cannot be detected: its first half minute has no speech, or the speech engine does not detect languages.",
})

const lineOf =
  ({ hasWords }: AsrRequest) =>
  (segment: SpokenSegment, index: number) => ({
    ...segmentOf(segment, index),
    ...(segment.speaker !== null && { speaker: segment.speaker }),
    ...(hasWords && { words: (segment.words ?? []).map(wordOf) }),
  })

const answerOf = (heard: Heard, wanted: AsrRequest): Effect.Effect<Reply, Failure> => {
  switch (wanted.output) {
    case "txt":
      return Effect.succeed(textReply(heard.segments.map(({ text }) => `${text}\n`).join("")))
    case "json":
      return Effect.sync(() =>
        jsonReply(200, {
          text: heard.text,
          segments: heard.segments.map(lineOf(wanted)),
          language: heard.language,
        }),
      )
    case "srt":
    case "vtt":
    case "tsv":
      return Effect.map(heard.file(wanted.output), captionsReply)
  }
}

const detected = ({ language, languageConfidence }: Heard): Effect.Effect<Reply, Refusal> =>
  language === null
    ? Effect.fail(noLanguage)
    : Effect.succeed(
        jsonReply(200, {
          detected_language: languageNameOf(language),
          language_code: language,
          confidence: languageConfidence,
        }),
      )

export const asrRoutes = (hearing: Hearing): ReadonlyArray<Route> => {
  const hears = (
    path: string,
    reply: (
      arrived: Arrived,
      caller: Caller,
      query: Readonly<Record<string, string>>,
    ) => Effect.Effect<Reply, Failure>,
  ): Route => ({
    method: "POST",
    path,
    answer: {
      type: "guarded",
      access: { scope: "transcriptions:write", rate: "create" },
      orIn: "basic",
      reply: (arrived, caller) =>
        Effect.flatMap(readQuery(arrived.query), (query) => reply(arrived, caller, query)),
    },
  })

  return [
    hears("/asr", (arrived, caller, query) =>
      Effect.gen(function* () {
        const wanted = yield* asrRequest(query)
        const begun = yield* hearing.begin(arrived, caller, FILE_FIELD, () => Either.right(wanted))
        return yield* answerOf(yield* hearing.ended(begun, arrived, caller), wanted)
      }),
    ),
    hears("/detect-language", (arrived, caller, query) =>
      Effect.gen(function* () {
        const want = () => Either.right(detectRequest(query))
        const begun = yield* hearing.begin(arrived, caller, FILE_FIELD, want)
        return yield* detected(yield* hearing.ended(begun, arrived, caller))
      }),
    ),
  ]
}
