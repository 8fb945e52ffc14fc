import { connect } from "node:net"
import type { EarmarkServer } from "../../servers/earmarkServer.js"

/** What the server says to bytes that no client would send, until it closes the connection. */
export const rawAnswer = ({ port }: Pick<EarmarkServer, "port">, bytes: string) =>
  new Promise<string>((resolve) => {
    let text = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(Buffer.from(bytes, "latin1")))
    socket.setTimeout(5000, () => {
      text += "(still open)"
      socket.destroy()
    })
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
    })
    socket.on("close", () => resolve(text))
    socket.on("error", () => {})
  })
