/** Asks a server for something, and says in one sentence why it cannot be had. */
import type { EarmarkClient } from "@earmark/api/client"
import { Effect, Redacted } from "effect"
import { type CommandFailed, failed, usage, withCode } from "../CommandFailed.js"
import { explainError } from "./explainError.js"
import { type Target, targetOf, type Where } from "./target.js"

const loadClient = Effect.promise(() => import("@earmark/api/client"))

/** What a command does with a server whose address it may have to name. */
export type Work<Answer> = (
  client: EarmarkClient,
  facts: { readonly signal: AbortSignal; readonly baseUrl: string },
) => Promise<Answer>

export const askTarget = <Answer>(target: Target, work: Work<Answer>): Effect.Effect<Answer, CommandFailed> =>
  Effect.gen(function* () {
    const library = yield* loadClient
    return yield* Effect.tryPromise({
      try: (signal) => {
        const { baseUrl, apiKey, fetch } = target
        const client = new library.EarmarkClient({ baseUrl, apiKey: Redacted.value(apiKey), fetch })
        return work(client, { signal, baseUrl })
      },
      catch: (error) => {
        const { code, message, isMistake } = explainError(library, target, error)
        return withCode((isMistake ? usage : failed)(message), code)
      },
    })
  })

/** Does something with the server that the command line means. */
export const ask = <Answer>(where: Where, work: Work<Answer>): Effect.Effect<Answer, CommandFailed> =>
  Effect.flatMap(targetOf(where), (target) => askTarget(target, work))
