import { type FetchedAnswer, Fetcher, type FetchFailed, type FetchRequest } from "@earmark/service"
import {
  type Headers,
  HttpClient,
  HttpClientError,
  type HttpClientRequest,
  HttpClientResponse,
} from "@effect/platform"
import { Duration, Effect, Exit, type Layer, Schema, Scope, Stream } from "effect"

export interface GuardedClientOptions {
  /** How long a whole exchange may take: a minute where it is not said. */
  readonly deadline?: Duration.DurationInput
  /** Decoded bytes of one response: 100 MB where it is not said. */
  readonly maxBytes?: number
  /** Redirects that are followed, each checked like the first address: 5 where it is not said. */
  readonly redirects?: number
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE"] as const
const isMethod = Schema.is(Schema.Literal(...METHODS))

/** Statuses whose responses have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

const unsent = (request: HttpClientRequest.HttpClientRequest, description: string, cause?: unknown) =>
  new HttpClientError.RequestError({ request, reason: "Encode", description, cause })

/** The bytes of a request's body, with the headers that go with them. */
const bodyOf = Effect.fnUntraced(function* (
  request: HttpClientRequest.HttpClientRequest,
  maxBytes: number,
): Effect.fn.Return<
  { readonly bytes?: Uint8Array; readonly headers?: Headers.Headers },
  HttpClientError.RequestError
> {
  const { body } = request
  const packed = (raw: string | URLSearchParams | Blob | FormData) =>
    Effect.tryPromise({
      try: async () => {
        const encoded = new Response(raw)
        const type = encoded.headers.get("content-type")
        return {
          bytes: new Uint8Array(await encoded.arrayBuffer()),
          headers: { ...(type === null ? {} : { "content-type": type }), ...request.headers },
        }
      },
      catch: (cause) => unsent(request, "The body cannot be read", cause),
    })
  switch (body._tag) {
    case "Empty":
      return {}
    case "Uint8Array":
      return { bytes: body.body }
    case "FormData":
      return yield* packed(body.formData)
    case "Raw":
      return typeof body.body === "string" ||
        body.body instanceof URLSearchParams ||
        body.body instanceof Blob
        ? yield* packed(body.body)
        : yield* unsent(request, "A raw body must be a string, URLSearchParams or a Blob")
    case "Stream": {
      const parts: Array<Uint8Array> = []
      let size = 0
      const broken = (cause: unknown) => unsent(request, "The body cannot be read", cause)
      yield* Stream.mapError(body.stream, broken).pipe(
        Stream.runForEach((part) => {
          size += part.length
          if (size > maxBytes) return Effect.fail(unsent(request, `The body has more than ${maxBytes} bytes`))
          parts.push(part)
          return Effect.void
        }),
      )
      return { bytes: Buffer.concat(parts) }
    }
  }
})

const unanswered = (request: HttpClientRequest.HttpClientRequest, failure: FetchFailed) =>
  new HttpClientError.RequestError({
    request,
    reason: failure.reason === "address_invalid" ? "InvalidUrl" : "Transport",
    description: failure.detail,
    cause: failure,
  })

/** What was announced of the body before it was decoded is true no longer. */
const headersOf = ({ headers }: FetchedAnswer): Record<string, string> => {
  const { "content-encoding": _encoding, "content-length": _length, ...rest } = headers
  return rest
}

/**
 * The `HttpClient` of `@effect/platform` over the guarded fetch: private addresses are blocked, redirects are checked, and time and size
 * have limits. A failure is a `RequestError` whose cause is the `FetchFailed`.
 */
export const layer = (
  options: GuardedClientOptions = {},
): Layer.Layer<HttpClient.HttpClient, never, Fetcher> => {
  const deadline = Duration.toMillis(options.deadline ?? "1 minute")
  const { maxBytes = 100_000_000, redirects = 5 } = options
  return HttpClient.layerMergedContext(
    Effect.map(Fetcher, ({ fetch }) =>
      HttpClient.make(
        Effect.fnUntraced(function* (request, { href: url }, signal) {
          const { method } = request
          if (!isMethod(method))
            return yield* unsent(request, `${method} is not one of ${METHODS.join(", ")}`)
          const { bytes, headers = request.headers } = yield* bodyOf(request, maxBytes)
          const asked: FetchRequest = {
            url,
            method,
            headers,
            deadline,
            maxBytes,
            redirects,
            ...(bytes === undefined ? {} : { body: bytes }),
          }
          // The connection outlives this effect, until the body has been read or given up.
          const scope = yield* Scope.make()
          const close = Scope.close(scope, Exit.void)
          signal.addEventListener("abort", () => Effect.runFork(close), { once: true })
          const answer = yield* fetch(asked).pipe(
            Scope.extend(scope),
            Effect.mapError((failure) => unanswered(request, failure)),
            Effect.onError(() => close),
          )
          const hasBody = method !== "HEAD" && !BODILESS.has(answer.status)
          if (!hasBody) yield* close
          const body = hasBody
            ? yield* Stream.toReadableStreamEffect(Stream.ensuring(answer.body, close))
            : null
          return HttpClientResponse.fromWeb(
            request,
            new Response(body, { status: answer.status, headers: headersOf(answer) }),
          )
        }),
      ),
    ),
  )
}
