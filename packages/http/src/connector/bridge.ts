import type { IncomingMessage, ServerResponse } from "node:http"

type Headers = Readonly<Record<string, string>>

/** Headers that are between us and the client, and no business of whoever is mounted. */
const OURS: ReadonlyArray<string> = [
  "authorization",
  "cookie",
  "dpop",
  "host",
  "connection",
  "content-length",
]

interface WebRequestFacts {
  readonly url: string
  readonly body: Uint8Array | null
  readonly signal: AbortSignal
}

/** A request as web handlers take it. */
export const webRequest = (request: IncomingMessage, { url, body, signal }: WebRequestFacts): Request => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || OURS.includes(name) || name === "transfer-encoding") continue
    headers.set(name, typeof value === "string" ? value : value.join(", "))
  }
  return new Request(url, {
    method: request.method ?? "GET",
    headers,
    signal,
    ...(body !== null && { body }),
  })
}

/** Is aborted when the client goes away before it has its answer, or is not to have it. */
export const answering = (response: ServerResponse): AbortController => {
  const controller = new AbortController()
  response.once("close", () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller
}

const isStream = (answer: Response): boolean =>
  (answer.headers.get("content-type") ?? "").startsWith("text/event-stream")

/** The client takes more, or has gone. What did not happen is not listened for any longer: a long answer waits many times. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done)
      resolve()
    }
    response.once("drain", done).once("close", done)
  })

/** Writes what a web handler answered, as fast as the client takes it. Ends with the answer, or with the client. */
export const writeWebResponse = async (
  response: ServerResponse,
  answer: Response,
  headers: Headers,
): Promise<void> => {
  const proxies = isStream(answer) ? { "X-Accel-Buffering": "no" } : {}
  const length = answer.body === null ? { "Content-Length": "0" } : {}
  response.writeHead(answer.status, {
    ...headers,
    ...proxies,
    ...length,
    ...Object.fromEntries(answer.headers),
  })
  const reader = answer.body?.getReader()
  if (reader === undefined) {
    response.end()
    return
  }
  // A stream has begun when its headers are there, whenever its first event comes.
  response.flushHeaders()
  response.once("close", () => void reader.cancel().catch(() => {}))
  for (;;) {
    const { done, value } = await reader.read()
    if (done || response.destroyed || response.writableEnded) break
    if (!response.write(value)) await drained(response)
  }
  response.end()
}
