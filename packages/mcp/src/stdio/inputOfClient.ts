/** The messages of the client that started this process, and its end: calls that came before it are still answered. */
import { PassThrough } from "node:stream"
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server"
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { splitLines } from "./splitLines.js"

/** How long the end of the input waits for answers. Calls that wait for a transcript are not waited for. */
const ANSWERED_WITHIN = 3000

/** Of one line. More is never held. */
const MOST_BYTES = 10 * 1024 * 1024

/** Calls that end with the connection only. */
const ENDLESS = "subscriptions/listen"

const NEW_LINE = Buffer.from("\n")

const refusal = (code: number, message: string): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } })}\n`

const NOT_JSON = refusal(-32700, "Parse error: each line is one JSON-RPC message")
const TOO_LARGE = refusal(
  -32600,
  "Invalid Request: the line is larger than 10 MiB. Send less in one message.",
)
const NO_MESSAGE = refusal(-32600, "Invalid Request: each line is one JSON-RPC message, and no batch of them")

/** What is answered to a line that is no message; null where it is one. */
const refusalOf = (line: string): string | null => {
  try {
    parseJSONRPCMessage(JSON.parse(line))
    return null
  } catch (error) {
    return error instanceof SyntaxError ? NOT_JSON : NO_MESSAGE
  }
}

/** Passes on the lines that are messages, and answers the others. */
const watchLines = (pass: (line: Buffer) => void, answer: (text: string) => void) =>
  splitLines(
    MOST_BYTES,
    (line) => {
      const text = line.toString("utf8")
      const refused = text.trim() === "" ? "" : refusalOf(text)
      if (refused === null) pass(line)
      else if (refused !== "") answer(refused)
    },
    () => answer(TOO_LARGE),
  )

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
  // The transport gives up its calls when its input ends, or has a line that is too large for it: it is told of neither.
  const input = new PassThrough()
  const wire = new StdioServerTransport(input, process.stdout, { maxBufferSize: Number.POSITIVE_INFINITY })
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
    watchLines(
      (line) => input.write(Buffer.concat([line, NEW_LINE])),
      (refused) => process.stdout.write(refused),
    ),
  )
  process.stdin.once("end", end).once("close", end)
  process.stdout.once("error", () => resolve())
  return { transport, ended }
}
