/** Transcriptions in the protocol of OpenAI, so that its clients need nothing but another address. */
import { Effect } from "effect"
import type { Route } from "../routes/Route.js"
import type { Hearing, HearingFacts } from "./hearing.js"
import { openAiAnswer } from "./openAiAnswer.js"
import { openAiModels } from "./openAiModels.js"
import { openAiRefusal } from "./openAiRefusal.js"
import { openAiRequest } from "./openAiRequest.js"
import { makeOpenAiStream } from "./openAiStream.js"

export const openAiRoutes = (hearing: Hearing, facts: HearingFacts) =>
  Effect.map(makeOpenAiStream(hearing, facts), (stream): ReadonlyArray<Route> => {
    const hears = (path: string, task: "transcribe" | "translate"): Route => ({
      method: "POST",
      path,
      answer: {
        type: "guarded",
        access: { scope: "transcriptions:write", rate: "create" },
        reply: (arrived, caller) =>
          Effect.gen(function* () {
            const begun = yield* hearing.begin(arrived, caller, "file", openAiRequest(task))
            if (begun.wanted.isStreamed) return yield* stream(begun, arrived, caller)
            return yield* openAiAnswer(yield* hearing.ended(begun, arrived, caller), begun.wanted)
          }),
      },
      refusalReply: openAiRefusal,
    })

    return [
      hears("/v1/audio/transcriptions", "transcribe"),
      hears("/v1/audio/translations", "translate"),
      ...openAiModels,
    ]
  })
