/** Sends requests: the key, the address, the time allowed, and trying again where that is safe. */
import { ConnectionError, EarmarkError, InputError, TimeoutError } from "./errors.js"
import type { OperationFacts } from "./operations.js"
import { type Platform, pause } from "./Platform.js"
import { readJson, refusalOf } from "./readAnswer.js"
import { canRetry, pauseBefore } from "./retry.js"

/** What every call takes besides its own arguments. */
export interface RequestOptions {
  /** Ends the call, which then fails with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for one try, instead of what the client was made with. */
  readonly timeout?: number | undefined
  /** How often a call is tried again, instead of what the client was made with. */
  readonly retries?: number | undefined
}

/** Of calls that make something: the client makes a key for each call, so that its own retries are safe. */
export interface RepeatableOptions extends RequestOptions {
  /** A key of yours makes repeats of the whole call safe, over a restart of your program too. */
  readonly idempotencyKey?: string | undefined
}

export interface TransportOptions {
  readonly baseUrl: string
  /** The header that says who calls. */
  readonly credentials: Readonly<Record<string, string>>
  readonly timeout: number
  readonly retries: number
  readonly platform: Platform
  /** Ends the calls that have no signal of their own. */
  readonly signal?: AbortSignal | undefined
}

export interface Sent {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: object | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly options?: RepeatableOptions | undefined
  /** Milliseconds that the service holds the answer back on purpose. */
  readonly held?: number
}

/** An answer whose body is still to be read. `release` when that is over. */
export interface Opened {
  readonly response: Response
  readonly release: () => void
}

const parameter = (name: string, value: unknown): ReadonlyArray<[string, string]> => {
  if (value === undefined || value === null) return []
  if (typeof value !== "object") return [[name, String(value)]]
  return Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, String(inner)])
}

const queryText = (query: object | undefined): string => {
  const parameters = Object.entries(query ?? {}).flatMap(([name, value]) => parameter(name, value))
  return parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`
}

const filled = (path: string, values: Readonly<Record<string, string>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ""
    // The address would be that of something else.
    if (/^\.{0,2}$/.test(value)) throw new InputError({ message: `"${value}" is no ${name}` })
    return encodeURIComponent(value)
  })

const isSafe = ({ method }: OperationFacts, key: string | undefined): boolean =>
  method === "GET" || method === "PUT" || key !== undefined

interface Request {
  readonly url: string
  readonly init: RequestInit
  readonly timeout: number
  readonly signal: AbortSignal | undefined
}

export class Transport {
  readonly #options: TransportOptions

  constructor(options: TransportOptions) {
    this.#options = options
  }

  get platform(): Platform {
    return this.#options.platform
  }

  /** The same, for calls that end with a signal. */
  during(signal: AbortSignal): Transport {
    return new Transport({ ...this.#options, signal })
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal
  }

  /** Milliseconds of silence after which a connection counts as broken. */
  get timeout(): number {
    return this.#options.timeout
  }

  /** Sends a request of an operation, and answers its JSON. */
  json<Answer>(facts: OperationFacts, sent: Sent = {}): Promise<Answer> {
    return this.#send(facts, sent, async ({ response, release }) => {
      const answer = await readJson<Answer>(response)
      release()
      return answer
    })
  }

  /** Sends a request, and gives its answer with the body unread. */
  open(facts: OperationFacts, sent: Sent = {}): Promise<Opened> {
    return this.#send(facts, sent, async (opened) => opened)
  }

  async #send<Value>(
    facts: OperationFacts,
    sent: Sent,
    read: (opened: Opened) => Promise<Value>,
  ): Promise<Value> {
    const { options = {} } = sent
    const key = facts.repeatable === true ? (options.idempotencyKey ?? this.platform.uniqueKey()) : undefined
    const request = this.#request(facts, sent, key)
    const retries = options.retries ?? this.#options.retries
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt(request, read)
      } catch (error) {
        if (attempt >= retries || !canRetry(error, isSafe(facts, key))) throw error
        await pause(
          this.platform,
          pauseBefore(error, attempt, this.platform.random()),
          options.signal ?? this.signal,
        )
      }
    }
  }

  #request(facts: OperationFacts, sent: Sent, key: string | undefined): Request {
    const { baseUrl, credentials } = this.#options
    const { options = {} } = sent
    const hasBody = sent.body !== undefined
    return {
      url: `${baseUrl}${filled(facts.path, sent.path)}${queryText(sent.query)}`,
      init: {
        method: facts.method,
        headers: {
          ...credentials,
          Accept: "application/json",
          ...(hasBody && { "Content-Type": "application/json" }),
          ...(key !== undefined && { "Idempotency-Key": key }),
          ...sent.headers,
        },
        // A redirect would turn a POST into a GET; the address of the service is told instead.
        redirect: "manual",
        ...(hasBody && { body: JSON.stringify(sent.body) }),
      },
      timeout: (options.timeout ?? this.#options.timeout) + (sent.held ?? 0),
      signal: options.signal ?? this.signal,
    }
  }

  /** One try. The time allowed ends with `read`, the hold of the caller's signal with `release`. */
  async #attempt<Value>(
    { url, init, timeout, signal }: Request,
    read: (opened: Opened) => Promise<Value>,
  ): Promise<Value> {
    signal?.throwIfAborted()
    const controller = new AbortController()
    const time = { isOver: false }
    const callOff = this.platform.later(timeout, () => {
      time.isOver = true
      controller.abort()
    })
    const stop = () => controller.abort(signal?.reason)
    signal?.addEventListener("abort", stop, { once: true })
    const release = () => signal?.removeEventListener("abort", stop)
    try {
      const response = await this.platform.fetch(url, { ...init, signal: controller.signal })
      if (!response.ok) throw await refusalOf(response)
      return await read({ response, release })
    } catch (cause) {
      release()
      signal?.throwIfAborted()
      if (time.isOver) throw new TimeoutError({ message: `No answer came from ${url} in ${timeout} ms` })
      throw cause instanceof EarmarkError
        ? cause
        : new ConnectionError({ message: reached(url, cause), cause })
    } finally {
      callOff()
    }
  }
}

/** What OpenSSL says of an answer that is not encrypted. */
const NOT_ENCRYPTED = /wrong version number|packet length too long|EPROTO/

const reached = (url: string, cause: unknown): string => {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const message = inner instanceof Error ? inner.message : String(inner)
  const why = NOT_ENCRYPTED.test(message)
    ? "what answers there does not speak https; try http://"
    : message.trim()
  return `The connection to ${new URL(url).origin} failed: ${why}`
}
