import { once } from "node:events"
import { createServer, get } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { writeWebResponse } from "../src/connector/bridge.js"

describe("what a web handler answers", () => {
  it("waits many times for a slow client, with no listener left over", async () => {
    const piece = new Uint8Array(1024 * 1024)
    const pieces = 40
    let most = 0
    const server = createServer((_, response) => {
      let left = pieces
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          most = Math.max(most, response.listenerCount("close"))
          left -= 1
          if (left < 0) controller.close()
          else controller.enqueue(piece)
        },
      })
      void writeWebResponse(response, new Response(body), {})
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    try {
      const { port } = server.address() as AddressInfo
      const bytes = await new Promise<number>((resolve, reject) => {
        get({ host: "127.0.0.1", port }, (answer) => {
          let count = 0
          answer.on("data", (chunk: Uint8Array) => {
            count += chunk.length
          })
          answer.once("end", () => resolve(count)).once("error", reject)
        }).once("error", reject)
      })
      assert.strictEqual(bytes, pieces * piece.length)
      assert.isBelow(most, 5)
    } finally {
      server.close()
    }
  })
})
