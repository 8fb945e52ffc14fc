/** Asks a service for something, and says in one sentence why it cannot be had. */
import type { EarmarkClient } from "@earmark/api/client"
import { Effect, Redacted } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import { type Target, targetOf, type Where } from "./target.js"

const loadClient = Effect.promise(() => import("@earmark/api/client"))

type Library = Effect.Effect.Success<typeof loadClient>

/** What a service says of a request, or why it says nothing. */
const explain =
  ({ ProblemError, ConnectionError, EarmarkError }: Library, { baseUrl }: Target) =>
  (error: unknown): CommandFailed => {
    if (error instanceof ProblemError) {
      if (error.code === "unauthorized")
        return failed(
          `${baseUrl} does not take this key. Sign in with another one: earmark login ${baseUrl} [${error.code}]`,
        )
      const sentence = `${error.detail.replace(/\.?$/, ".")} [${error.code}]`
      return error.status === 400 ? usage(sentence) : failed(sentence)
    }
    if (error instanceof ConnectionError)
      return failed(
        `${error.message.replace(/\.?$/, "")}. Is the service running there? earmark serve starts one; --server names another. [${error.code}]`,
      )
    if (error instanceof EarmarkError) return failed(`${error.message.replace(/\.?$/, ".")} [${error.code}]`)
    throw error
  }

/** What a command does with a service whose address it may have to name. */
export type Work<Answer> = (
  client: EarmarkClient,
  facts: { readonly signal: AbortSignal; readonly baseUrl: string },
) => Promise<Answer>

export const askTarget = <Answer>(target: Target, work: Work<Answer>): Effect.Effect<Answer, CommandFailed> =>
  Effect.gen(function* () {
    const library = yield* loadClient
    return yield* Effect.tryPromise({
      try: (signal) => {
        const { baseUrl, apiKey } = target
        const client = new library.EarmarkClient({ baseUrl, apiKey: Redacted.value(apiKey) })
        return work(client, { signal, baseUrl })
      },
      catch: explain(library, target),
    })
  })

/** Does something with the service that the command line means. */
export const ask = <Answer>(where: Where, work: Work<Answer>): Effect.Effect<Answer, CommandFailed> =>
  Effect.flatMap(targetOf(where), (target) => askTarget(target, work))
