import type { IncomingMessage } from "node:http"
import { Effect } from "effect"
import { Refusal } from "../answers/Refusal.js"
import { headerOf } from "./Arrived.js"

const MOST_BYTES = 1024 * 1024
/** How long a body may take, in milliseconds. */
export const BODY_WITHIN = 30_000

const JSON_CONTENT = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

const tooLarge = new Refusal({
  code: "too_large",
  detail: `A body has at most ${MOST_BYTES} bytes.`,
  headers: { Connection: "close" },
})

const gone = new Refusal({
  code: "invalid_request",
  detail: "The body ended before it was whole.",
  headers: { Connection: "close" },
})

export const bodyTooSlow = new Refusal({
  code: "request_timeout",
  detail: "The body did not arrive in time.",
  headers: { Connection: "close" },
})

const unsupported = (detail: string) => new Refusal({ code: "unsupported_content_type", detail })

const notJson = (detail: string) => new Refusal({ code: "invalid_json", detail })

/** Every byte of a body, counted while it arrives: at most a megabyte, within half a minute. */
export const readBytes = (request: IncomingMessage) =>
  Effect.async<Buffer, Refusal>((resume) => {
    const chunks: Array<Buffer> = []
    let bytes = 0
    // @effect-diagnostics-next-line globalTimers:off -- a race of two fibers costs more than reading the body
    const late = setTimeout(() => {
      stop()
      resume(Effect.fail(bodyTooSlow))
    }, BODY_WITHIN)
    const stop = () => {
      clearTimeout(late)
      request.off("data", take).off("end", end).off("error", fail).off("close", fail)
    }
    const take = (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes <= MOST_BYTES) return
      stop()
      request.resume()
      resume(Effect.fail(tooLarge))
    }
    const end = () => {
      stop()
      resume(Effect.succeed(Buffer.concat(chunks)))
    }
    const fail = () => {
      stop()
      resume(Effect.fail(gone))
    }
    request.on("data", take).on("end", end).on("error", fail).on("close", fail)
    return Effect.sync(stop)
  })

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const parse = (bytes: Buffer) =>
  Effect.try({
    try: (): unknown => JSON.parse(decoder.decode(bytes)),
    catch: () => notJson("The body is not valid JSON in UTF-8."),
  })

/**
 * The JSON of a body. No body at all is an empty object: what it lacks is then told by name. A body that was announced, where one
 * is needed, has to be there.
 */
export const readBody = Effect.fnUntraced(function* (request: IncomingMessage, isNeeded: boolean) {
  const encoding = headerOf(request, "content-encoding") ?? "identity"
  if (encoding.toLowerCase() !== "identity") {
    return yield* unsupported("Send the body without Content-Encoding.")
  }
  const coding = headerOf(request, "transfer-encoding") ?? "chunked"
  if (coding.toLowerCase() !== "chunked") {
    return yield* unsupported("Send the body without a Transfer-Encoding other than chunked.")
  }
  if (Number(headerOf(request, "content-length") ?? 0) > MOST_BYTES) return yield* tooLarge
  const bytes = yield* readBytes(request)
  if (bytes.length === 0 && !(isNeeded && headerOf(request, "content-type") !== undefined)) return {}
  if (!JSON_CONTENT.test(headerOf(request, "content-type") ?? "")) {
    return yield* unsupported("Send the body as JSON in UTF-8, with Content-Type: application/json.")
  }
  return yield* parse(bytes)
})
