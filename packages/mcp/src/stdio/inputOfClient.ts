/** The messages of the client that started this process, and its end: calls that came before it are still answered. */
import { PassThrough } from "node:stream"
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server"
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"

/** How long the end of the input waits for answers. Calls that wait for a transcript are not waited for. */
const ANSWERED_WITHIN = 3000

/** Calls that end with the connection only. */
const ENDLESS = "subscriptions/listen"

const NOT_JSON = `${JSON.stringify({
  jsonrpc: "2.0",
  id: null,
  error: { code: -32700, message: "Parse error: each line is one JSON-RPC message" },
})}\n`

const isJson = (line: string): boolean => {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

/** Tells of each line that is no JSON: the transport passes over such lines without a word. */
const watchLines = (onGarbage: () => void) => {
  let held: Array<Buffer> = []
  return (chunk: Buffer): void => {
    const end = chunk.lastIndexOf("\n")
    if (end < 0) return void held.push(chunk)
    const whole = Buffer.concat([...held, chunk.subarray(0, end)]).toString("utf8")
    held = [chunk.subarray(end + 1)]
    for (const line of whole.split("\n")) if (line.trim() !== "" && !isJson(line)) onGarbage()
  }
}

export interface InputOfClient {
  readonly transport: Transport
  /** When the input has ended, and what can be answered is. */
  readonly ended: Promise<void>
}

export const inputOfClient = (): InputOfClient => {
  const open = new Set<string | number>()
  let resolve = (): void => {}
  const ended = new Promise<void>((done) => {
    resolve = done
  })
  let isEnding = false
  const settle = (id: unknown) => {
    if (typeof id === "string" || typeof id === "number") open.delete(id)
    if (isEnding && open.size === 0) resolve()
  }
  const received = (message: JSONRPCMessage) => {
    if (!("method" in message)) return
    if ("id" in message && message.method !== ENDLESS) open.add(message.id)
    if (message.method === "notifications/cancelled") settle(message.params?.requestId)
  }
  // The transport gives up its calls when its input ends, so it is not told of the end.
  const input = new PassThrough()
  const wire = new StdioServerTransport(input, process.stdout)
  const transport: Transport = {
    start: () => {
      wire.onmessage = (message) => {
        received(message)
        transport.onmessage?.(message)
      }
      wire.onerror = (error) => transport.onerror?.(error)
      wire.onclose = () => {
        resolve()
        transport.onclose?.()
      }
      return wire.start()
    },
    send: async (message) => {
      await wire.send(message)
      if (!("method" in message)) settle(message.id)
    },
    close: () => wire.close(),
  }
  const end = () => {
    if (isEnding) return
    isEnding = true
    // @effect-diagnostics-next-line globalTimers:off -- called by Node outside of every fiber
    setTimeout(() => resolve(), ANSWERED_WITHIN).unref()
    // What was read last is on its way through the transport.
    setImmediate(() => settle(null))
  }
  process.stdin.on(
    "data",
    watchLines(() => process.stdout.write(NOT_JSON)),
  )
  process.stdin.once("end", end).once("close", end).pipe(input, { end: false })
  process.stdout.once("error", () => resolve())
  return { transport, ended }
}
