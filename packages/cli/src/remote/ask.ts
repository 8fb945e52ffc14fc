/** Asks a server for something, and says in one sentence why it cannot be had. */
import type { EarmarkClient } from "@earmark/api/client"
import { Effect, Redacted } from "effect"
import { type CommandFailed, failed, usage, withCode } from "../CommandFailed.js"
import { explainError, type Target } from "./explainError.js"

const loadClient = Effect.promise(() => import("@earmark/api/client"))

/** What a command does with a server; `call` goes with each request. */
export type Work<Answer> = (client: EarmarkClient, call: { readonly signal: AbortSignal }) => Promise<Answer>

export const askTarget = <Answer>(target: Target, work: Work<Answer>): Effect.Effect<Answer, CommandFailed> =>
  Effect.gen(function* () {
    const library = yield* loadClient
    return yield* Effect.tryPromise({
      try: (signal) => {
        const { baseUrl, apiKey, fetch } = target
        const client = new library.EarmarkClient({ baseUrl, apiKey: Redacted.value(apiKey), fetch })
        return work(client, { signal })
      },
      catch: (error) => {
        const { code, message, isMistake } = explainError(library, target, error)
        return withCode((isMistake ? usage : failed)(message), code)
      },
    })
  })

/** An address that a server refuses to send to, with what helps. */
export const ifBlocked = (wayOut: string) =>
  Effect.mapError((error: CommandFailed) =>
    error.code === "blocked_address" ? failed(`${error.message} ${wayOut}`) : error,
  )
