/** A website on this machine. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import { afterAll, beforeAll } from "@effect/vitest"

/** An answer: content type, body, and a status other than 200. */
type Reply = readonly [
  type: string,
  body: string | Uint8Array,
  more?: { readonly status?: number; readonly etag?: string },
]

/** Starts a website for all tests of a file, and returns a function that gives its address. Where `find` returns nothing, it answers 404. */
export const serveFiles = (
  find: (url: string, headers: IncomingHttpHeaders) => Reply | undefined,
): (() => string) => {
  const server = createServer(({ url = "", headers }, response) => {
    const found = find(url, headers)
    if (found === undefined) return response.writeHead(404).end()
    const [type, body, { status = 200, etag } = {}] = found
    response.writeHead(status, { "content-type": type, ...(etag !== undefined && { etag }) })
    return response.end(body)
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return () => {
    const address = server.address()
    return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`
  }
}

/** Captions that a publisher provides with an episode. */
export const written =
  "WEBVTT\n\n00:00.000 --> 00:17.000\n<v Ann>This was written by people, word for word.\n\n00:17.000 --> 00:36.000\n<v Ben>And it covers all of it, from the beginning to the end.\n"
