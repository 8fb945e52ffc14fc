import { trimEndOf } from "@earmark/core/text"
import type { Fetcher } from "@earmark/service"
import { Duration, Effect, Redacted } from "effect"
import { troubleOf } from "../failures.js"
import { askServer, type ServerAnswer } from "../http/askServer.js"
import type { Finding } from "./Finding.js"

export type Fetch = Fetcher["Type"]["fetch"]

const PATIENCE = Duration.seconds(5)

/** What a server says to a request that costs nothing. */
export const look = (
  fetch: Fetch,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Effect.Effect<ServerAnswer | string> => {
  if (!URL.canParse(url)) return Effect.succeed(`"${url}" is not a valid address`)
  return askServer(fetch, { url, headers, deadline: PATIENCE, delays: [] }).pipe(
    Effect.match({
      onFailure: (failure): ServerAnswer | string => troubleOf(failure),
      onSuccess: (answer): ServerAnswer | string => answer,
    }),
  )
}

interface Endpoint {
  readonly name: string
  readonly url: string
  readonly key: Redacted.Redacted | null
  /** The settings of the address and of the key. */
  readonly names: { readonly url: string; readonly key: string }
  /** What is said of one that answers. */
  readonly detail: string
}

/** The address may be that of the one request that is sent to it. */
const REQUEST = /\/(?:chat\/completions|audio\/transcriptions|inference)$/

/** Asks an OpenAI-compatible server for its models: whether it answers, and takes the key. */
export const examineEndpoint = Effect.fnUntraced(function* (
  fetch: Fetch,
  { name, url, key, names, detail }: Endpoint,
): Effect.fn.Return<Finding> {
  const base = trimEndOf(url, "/").replace(REQUEST, "")
  const headers = key === null ? {} : { authorization: `Bearer ${Redacted.value(key)}` }
  const answer = yield* look(fetch, `${base}/models`, headers)
  if (typeof answer === "string")
    return { name, status: "missing", detail: answer, fix: `check ${names.url}` }
  if (answer.status === 401 || answer.status === 403)
    return {
      name,
      status: "missing",
      detail: `${url} refuses the key (${answer.status})`,
      fix: `check ${names.key}`,
    }
  return { name, status: "ok", detail, fix: null }
})
