// What links lead to: a feed with a page that names it, on a server of this machine.
import assert from "node:assert/strict"
import { createServer } from "node:http"
import { parseCidrList } from "@earmark/core/links"
import { FetcherNode, SourceResolverWeb, YtDlp } from "@earmark/media"
import { SourceResolver } from "@earmark/service"
import { Effect, Either, Layer } from "effect"

const feed = `<rss version="2.0"><channel><title>Marks</title>
<item><title>In the margins</title><guid>mark-2</guid><enclosure url="https://cdn.marks.example/2.mp3" type="audio/mpeg"/></item>
<item><title>On the spine</title><guid>mark-1</guid><enclosure url="https://cdn.marks.example/1.mp3" type="audio/mpeg"/></item>
</channel></rss>`
const page = `<!doctype html><title>Marks</title>
<link rel="alternate" type="application/rss+xml" title="Podcast" href="/feed">`

const server = createServer((request, response) => {
  if (request.url === "/feed") response.end(feed)
  else if (request.url === "/") response.end(page)
  else response.writeHead(404).end()
})
await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready))
const address = server.address()
assert(typeof address === "object" && address !== null)
const base = `http://127.0.0.1:${address.port}`

// #region resolver
// Private addresses are refused unless you allow them; a program for social sites is yours to choose.
const allow = Either.getOrThrow(parseCidrList("127.0.0.1/32"))
const sources = SourceResolverWeb.layer({ allow }).pipe(
  Layer.provide(Layer.merge(FetcherNode.layer({ allow }), YtDlp.none)),
)
// #endregion

const program = Effect.gen(function* () {
  // #region resolve
  const resolver = yield* SourceResolver
  for (const link of [
    `${base}/feed`,
    `${base}/`,
    `${base}/missing.mp3`,
    "https://open.spotify.com/show/2MAi0BvDc6GTFvKFPXnkCL",
  ]) {
    const found = yield* Effect.either(resolver.resolve({ type: "link", link, episode: null }))
    console.log(
      Either.match(found, {
        onLeft: ({ code, detail }) => `${code}: ${detail}`,
        onRight: ({ title, mediaUrl }) => `${title}: ${mediaUrl}`,
      }),
    )
  }
  // #endregion
})

await Effect.runPromise(Effect.provide(program, sources))
server.close()
