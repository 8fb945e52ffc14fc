import type { AttemptError } from "@earmark/core/wire"
import { type FetchedAnswer, type FetchFailed, type SentAnswer, WebhookSender } from "@earmark/service"
import { Effect, Layer, Stream } from "effect"
import { type FetcherOptions, makeFetch } from "../fetch/FetcherNode.js"

/** Bytes of an answer that are read before the connection is cut. */
const READ_BYTES = 16 * 1024

const ERRORS: Readonly<Record<FetchFailed["reason"], AttemptError>> = {
  address_invalid: "refused",
  address_blocked: "blocked_address",
  name_unknown: "dns",
  refused: "refused",
  tls: "tls",
  timeout: "timeout",
  interrupted: "refused",
  too_many_redirects: "redirect",
  too_large: "refused",
  status: "http_status",
}

const errorOf = (status: number): AttemptError | null => {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? "redirect" : "http_status"
}

/** The beginning of the body, as far as it comes. The status has decided already: a body that breaks off changes nothing. */
const beginningOf = (answer: FetchedAnswer): Effect.Effect<string> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  const isEnough = (chunk: Uint8Array) => {
    chunks.push(chunk)
    bytes += chunk.length
    return bytes >= READ_BYTES
  }
  return answer.body.pipe(
    Stream.takeUntil(isEnough),
    Stream.runDrain,
    Effect.catchAll(() => Effect.void),
    // Text stores take no NUL.
    Effect.map(() =>
      Buffer.concat(chunks).subarray(0, READ_BYTES).toString("utf8").replaceAll("\0", "\ufffd"),
    ),
  )
}

export type WebhookSenderOptions = Pick<FetcherOptions, "allow" | "authorities" | "plainHttp" | "resolve">

/** Posts under the rules of the guarded door, through connections of its own: a pile of downloads delays no delivery. */
export const layer = (options: WebhookSenderOptions = {}): Layer.Layer<WebhookSender> =>
  Layer.sync(WebhookSender, () => {
    // How many run at once, and how many to one endpoint, is for the delivery loop to say.
    const fetch = makeFetch({
      ...options,
      plainHttp: options.plainHttp ?? "allowed",
      connections: Infinity,
      connectionsPerHost: Infinity,
    })
    const post: WebhookSender["Type"]["post"] = (url, { headers, body, timeoutSeconds }) =>
      fetch({
        url,
        method: "POST",
        headers: { ...headers, "accept-encoding": "identity" },
        body: Buffer.from(body, "utf8"),
        deadline: timeoutSeconds * 1000,
        maxBytes: Infinity,
        redirects: 0,
      }).pipe(
        Effect.flatMap((answer) =>
          Effect.map(
            beginningOf(answer),
            (text): SentAnswer => ({
              status: answer.status,
              error: errorOf(answer.status),
              headers: answer.headers,
              body: text,
            }),
          ),
        ),
        Effect.catchAll((failure) =>
          Effect.succeed<SentAnswer>({ status: null, error: ERRORS[failure.reason], headers: {}, body: "" }),
        ),
        Effect.scoped,
      )
    return WebhookSender.of({ post: Effect.fn("WebhookSender.post")(post) })
  })
