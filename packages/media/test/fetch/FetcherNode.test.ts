import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { door, fetchText, reasonFor } from "./doors.js"
import { httpServer } from "./servers.js"

describe("the guarded door", () => {
  it.live("answers with status, headers, address and decoded body", () =>
    Effect.gen(function* () {
      const { port } = yield* httpServer((request, response) => {
        if (request.url === "/moved") response.writeHead(301, { location: "/there?a=b" }).end()
        else response.writeHead(203, { "content-encoding": "gzip", "X-Kind": "feed" }).end(gzipSync("<rss/>"))
      })
      const answer = yield* fetchText(`http://127.0.0.1:${port}/moved`)
      assert.deepInclude(answer, {
        status: 203,
        url: `http://127.0.0.1:${port}/there?a=b`,
        movedTo: `http://127.0.0.1:${port}/there?a=b`,
        body: "<rss/>",
      })
      assert.strictEqual(answer.headers["x-kind"], "feed")
    }).pipe(Effect.provide(door()), Effect.scoped),
  )

  it.live("opens no socket to an address that is not allowed", () =>
    Effect.gen(function* () {
      const canary = yield* httpServer((_, response) => void response.end("secret"), "127.0.0.2")
      assert.strictEqual(yield* reasonFor(`http://127.0.0.2:${canary.port}/`), "address_blocked")
      assert.deepStrictEqual(canary.hits, [])
    }).pipe(Effect.provide(door()), Effect.scoped),
  )
})
