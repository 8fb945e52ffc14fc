/** Transcriptions in the protocol of OpenAI, so that its clients need nothing but another address. */
import { Effect } from "effect"
import { Refusal } from "../answers/Refusal.js"
import { open } from "../routes/page.js"
import type { Route } from "../routes/Route.js"
import type { Hearing, HearingFacts } from "./hearing.js"
import { openAiAnswer } from "./openAiAnswer.js"
import { openAiModels } from "./openAiModels.js"
import { openAiRefusal } from "./openAiRefusal.js"
import { openAiRequest } from "./openAiRequest.js"
import { makeOpenAiStream } from "./openAiStream.js"

const nothingElse = new Refusal({
  code: "not_found",
  detail: "This server transcribes: it has /v1/audio/transcriptions, /v1/audio/translations and /v1/models.",
})

/** The rest of the protocol, told in its own form what is here. */
const elsewhere: Route = {
  ...open({ method: "GET", path: "/v1/*" }, () => Effect.fail(nothingElse)),
  refusalReply: openAiRefusal,
}

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
      elsewhere,
    ]
  })
