/**
 * A double of Stripe on the loopback, after its public protocol: forms in, JSON out, answers kept by idempotency key, signed events.
 * It fails on demand, in the ways that networks and servers do.
 */
import { createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type Card, type FormFields, makeStripeBooks, type StripeObject } from "./stripeBooks.js"

/** What happens to the next request instead of an answer, or (`lost`, `late`) to the answer of what was done. */
type Fault = "drop" | "lost" | "late" | 409 | 429 | 500 | 503

export interface Asked {
  readonly method: string
  readonly path: string
  readonly fields: FormFields
  readonly idempotencyKey: string | null
  readonly status: number | Fault
}

interface Kept {
  readonly print: string
  readonly status: number
  readonly body: object
}

const WEBHOOK_SECRET = "whsec_double"

/** A signature as Stripe makes it, by its own hand: not by the code that is tested. */
const sign = (body: string, timestamp: number, secret: string): string =>
  `t=${timestamp},v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`

const readFields = (text: string): FormFields => Object.fromEntries(new URLSearchParams(text))

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString("utf8")
}

const KEY = "sk_test_double"

const failure = (type: string, code: string | null, message: string) => ({ error: { type, code, message } })

export const startStripe = async () => {
  const books = makeStripeBooks()
  const asked: Array<Asked> = []
  const faults: Array<Fault> = []
  const kept = new Map<string, Kept>()
  let events = 0

  const answerOf = (method: string, path: string, fields: FormFields, key: string | null): Kept => {
    const print = `${method} ${path} ${JSON.stringify(fields)}`
    const before = key === null ? undefined : kept.get(key)
    if (before !== undefined) {
      return before.print === print
        ? before
        : {
            print,
            status: 400,
            body: failure(
              "idempotency_error",
              null,
              "Keys for idempotent requests can only be used with the same parameters.",
            ),
          }
    }
    const made = { print, ...books.perform(method, path, fields) }
    if (key !== null) kept.set(key, made)
    return made
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const method = request.method ?? "GET"
    const { pathname: path, searchParams } = new URL(request.url ?? "/", "http://double")
    const fields = method === "GET" ? Object.fromEntries(searchParams) : readFields(await textOf(request))
    const header = request.headers["idempotency-key"]
    const idempotencyKey = typeof header === "string" ? header : null
    const note = (status: Asked["status"]) => asked.push({ method, path, fields, idempotencyKey, status })
    const send = (status: number, body: object) => {
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body))
    }
    const fault = faults.shift()
    if (fault === "drop") {
      note(fault)
      request.socket.destroy()
      return
    }
    if (typeof fault === "number") {
      note(fault)
      send(fault, failure(fault === 429 ? "rate_limit_error" : "api_error", null, "Try again."))
      return
    }
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      note(401)
      send(401, failure("invalid_request_error", null, "Invalid API Key provided."))
      return
    }
    const answer = answerOf(method, path, fields, idempotencyKey)
    note(fault ?? answer.status)
    if (fault === "lost") request.socket.destroy()
    // Longer than whoever asks is patient; the connection is closed with the server.
    else if (fault !== "late") send(answer.status, answer.body)
  }

  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0

  /** An event as it is sent: its bytes and the header over them. */
  const event = (
    type: string,
    object: StripeObject,
    { at = Math.floor(Date.now() / 1000), isLive = false, secret = WEBHOOK_SECRET } = {},
  ) => {
    const whole = {
      id: `evt_${++events}`,
      object: "event",
      type,
      livemode: isLive,
      created: at,
      data: { object },
    }
    const body = JSON.stringify(whole, null, 2)
    return { body, signature: sign(body, at, secret) }
  }

  return {
    url: `http://127.0.0.1:${port}`,
    key: KEY,
    webhookSecret: WEBHOOK_SECRET,
    asked,
    /** The next requests fail like this, one after the other. */
    fail: (...next: ReadonlyArray<Fault>) => void faults.push(...next),
    /** Keys are forgotten, as they are after a day. */
    forgetKeys: () => kept.clear(),
    intents: books.intents,
    /** A person pays for a session on the page of the provider; answers the payment. */
    pay: (session: string, card: Card = "good") => books.pay(session, card),
    /** Nobody has paid for a session in its time; answers it. */
    expire: books.expire,
    /** How the card of every customer behaves from now on. */
    setCard: books.setCard,
    /** A payment that was processing comes to its end. */
    finish: books.finish,
    /** A part of a payment, or all of it, goes back. */
    refund: books.refund,
    dispute: books.dispute,
    event,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export type StripeDouble = Awaited<ReturnType<typeof startStripe>>
