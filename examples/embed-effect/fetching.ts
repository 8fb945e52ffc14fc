import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseCidrList } from "@earmark/core/links"
import { FetcherNode } from "@earmark/media"
import { layer as guardedClient } from "@earmark/media/http-client"
import { Fetcher } from "@earmark/service"
import { HttpClient } from "@effect/platform"
import { Effect, Either, Stream } from "effect"

const server = createServer((request, response) => {
  if (request.url === "/moved") response.writeHead(302, { location: "http://192.168.0.1/admin" }).end()
  else response.writeHead(200, { etag: '"1"', "content-type": "application/rss+xml" }).end("<rss/>")
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const address = server.address()
const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
const folder = await mkdtemp(join(tmpdir(), "earmark-"))

// #region door
const door = FetcherNode.layer({ allow: Either.getOrThrow(parseCidrList("127.0.0.1/32")) })

const limits = { deadline: 10_000, maxBytes: 1_000_000, redirects: 8 }

const read = Effect.gen(function* () {
  const fetcher = yield* Fetcher
  const answer = yield* fetcher.fetch({ url: `${base}/feed`, ...limits })
  const text = yield* answer.body.pipe(Stream.decodeText(), Stream.mkString)
  console.log(answer.status, text)
}).pipe(Effect.scoped)
// #endregion

// #region refused
const refused = Effect.gen(function* () {
  const fetcher = yield* Fetcher
  const failure = yield* Effect.flip(fetcher.fetch({ url: `${base}/moved`, ...limits }))
  console.log(`${failure.reason}: ${failure.message}`)
}).pipe(Effect.scoped)
// #endregion

// #region download
const download = Effect.gen(function* () {
  const fetcher = yield* Fetcher
  const { bytes } = yield* fetcher.download({ url: `${base}/episode`, ...limits }, join(folder, "episode"))
  console.log(`${bytes} bytes`)
})
// #endregion

// #region client
const client = Effect.gen(function* () {
  const { status } = yield* HttpClient.get(`${base}/feed`)
  console.log(status)
}).pipe(Effect.provide(guardedClient({ deadline: "10 seconds", maxBytes: 1_000_000 })))
// #endregion

await Effect.runPromise(Effect.all([read, refused, download, client]).pipe(Effect.provide(door)))
server.close()
await rm(folder, { recursive: true })
