import { Effect } from "effect"
import { notFound } from "../answers/Refusal.js"
import { jsonReply } from "../answers/Reply.js"
import type { Route } from "../routes/Route.js"
import { openAiRefusal } from "./openAiRefusal.js"

/** Names that mean something here, and the one that most programs have built in. Any other is taken as the first. */
const MODELS: ReadonlyArray<string> = ["earmark", "earmark-fast", "earmark-accurate", "whisper-1"]

const modelOf = (id: string) => ({ id, object: "model", created: 0, owned_by: "earmark" })

const reading = (path: string, reply: Extract<Route["answer"], { type: "guarded" }>["reply"]): Route => ({
  method: "GET",
  path,
  answer: { type: "guarded", access: { scope: "transcriptions:read", rate: "read" }, reply },
  refusalReply: openAiRefusal,
})

export const openAiModels: ReadonlyArray<Route> = [
  reading("/v1/models", () => Effect.succeed(jsonReply(200, { object: "list", data: MODELS.map(modelOf) }))),
  reading("/v1/models/:id", ({ path: { id = "" } }) =>
    MODELS.includes(id) ? Effect.succeed(jsonReply(200, modelOf(id))) : Effect.fail(notFound),
  ),
]
