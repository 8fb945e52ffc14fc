/** Downloads until it is killed. Arguments: an address, a path. */
import { parseCidrList } from "@earmark/core/links"
import { Fetcher } from "@earmark/service"
import { Effect, Either } from "effect"
import { FetcherNode } from "../../src/index.js"

const [url = "", path = ""] = process.argv.slice(2)

const main = Effect.gen(function* () {
  const fetcher = yield* Fetcher
  const request = { url, deadline: 60_000, maxBytes: 1_000_000_000, redirects: 0 }
  yield* fetcher.download(request, path)
}).pipe(Effect.provide(FetcherNode.layer({ allow: Either.getOrThrow(parseCidrList("127.0.0.1")) })))

void Effect.runPromise(main)
