import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { connect } from "node:net"
import { readWhole } from "@earmark/authorization"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { freePort } from "../../../test/servers/processes.js"
import { type Mount, withMounts } from "../src/server/Mount.js"

/** Reads a body without a deadline of its own, as what is mounted does. */
const mount: Mount = {
  owns: (path) => path === "/mounted",
  route: "/mounted",
  answer: (request, response) =>
    Effect.promise(() =>
      readWhole(request, 1000).then(
        (body) => response.end(`${body?.length} bytes`),
        () => response.destroy(),
      ),
    ),
}

/** What comes back for bytes that are sent at once, and no more. */
const exchange = (port: number, bytes: string) =>
  new Promise<string>((resolve) => {
    let text = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
    })
    socket.on("close", () => resolve(text))
    socket.on("error", () => {})
  })

it("a body that does not come in time is answered and let go of, where something is mounted too", async () => {
  const port = await freePort()
  const around = { baseUrl: "http://127.0.0.1", note: () => Effect.void, bodyMilliseconds: 50 }
  const handle = withMounts([mount], around, () => Effect.void)
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void Effect.runPromise(handle(request, response))
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()))
  const head = "POST /mounted HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n"
  const late = await exchange(port, `${head}\r\nab`)
  assert.match(late, /^HTTP\/1\.1 408 /)
  assert.match(late, /"code":"request_timeout"/)
  assert.match(await exchange(port, `${head}Connection: close\r\n\r\nabc`), /3 bytes/)
  await new Promise((resolve) => server.close(resolve))
})
