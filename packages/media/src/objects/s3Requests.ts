import { childText, readXml } from "@earmark/core/xml"
import { type FetchedAnswer, Fetcher, type FetchFailed, StorageError } from "@earmark/service"
import { Clock, DateTime, Duration, Effect, Either, Redacted, Schedule, type Scope, Stream } from "effect"
import { type SigningKey, sha256, signHeaders } from "./sigv4.js"

export interface S3Place {
  /** The address of the service, such as `https://s3.eu-central-1.amazonaws.com` or `http://minio:9000`. */
  readonly url: string
  readonly bucket: string
  readonly key: string
  readonly secret: Redacted.Redacted
  /** Only with credentials that last for a while. */
  readonly sessionToken?: Redacted.Redacted
  readonly region: string
  /** Whether the bucket is the first part of the path (as most servers other than AWS want it) or of the host. `path` by default. */
  readonly addressing?: "path" | "host"
}

export interface S3Request {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE"
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface S3Answer {
  readonly status: number
  readonly headers: FetchedAnswer["headers"]
  readonly text: string
}

const DEADLINE = Duration.toMillis("10 minutes")
/** A reader may take its time: the body of an object ends by its own idle limit, not by this one. */
const READ_DEADLINE = Duration.toMillis("1 day")
const LONGEST_TEXT = 1024 * 1024
const retries = Schedule.exponential("200 millis").pipe(
  Schedule.jittered,
  Schedule.intersect(Schedule.recurs(4)),
)

/** The text of an element of an answer, before which servers may send blanks to keep the connection; nothing where it is not XML. */
export const textOf = ({ text }: Pick<S3Answer, "text">, tag: string): string | undefined =>
  Either.getOrUndefined(Either.map(readXml(text.trimStart()), (root) => childText(root, tag)))

/** S3 answered something that none of our requests should get. Its own words stay out, but for the code. */
export const unexpected = (operation: string, answer: Pick<S3Answer, "status" | "text">): StorageError =>
  new StorageError({
    operation,
    reason: answer.status >= 500 || answer.status === 429 ? "unavailable" : "broken",
    cause: `S3 answered with status ${answer.status} (${textOf(answer, "Code") ?? "no code"})`,
  })

const unreachable = (operation: string) => (failure: FetchFailed) =>
  new StorageError({ operation, reason: "unavailable", cause: failure })

export const signingKeyOf = (place: S3Place): SigningKey => ({
  key: place.key,
  secret: Redacted.value(place.secret),
  sessionToken: place.sessionToken === undefined ? undefined : Redacted.value(place.sessionToken),
  region: place.region,
  service: "s3",
})

export const addressOf = (place: S3Place, key: string, query: Readonly<Record<string, string>> = {}): URL => {
  const url = new URL(place.url)
  const base = url.pathname.replace(/\/$/, "")
  if (place.addressing === "host") {
    url.hostname = `${place.bucket}.${url.hostname}`
    url.pathname = `${base}/${key}`
  } else {
    url.pathname = `${base}/${place.bucket}/${key}`
  }
  url.search = new URLSearchParams(query).toString()
  return url
}

/** The moment in the form that signatures have: `20130524T000000Z`. */
export const signingMoment: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, (now) =>
  DateTime.formatIso(DateTime.unsafeMake(now)).replace(/[-:]|\.\d+/g, ""),
)

export const makeS3Requests = (place: S3Place) =>
  Effect.map(Fetcher, (fetcher) => {
    const key = signingKeyOf(place)

    /** One request; its body is read as it is asked for. */
    const open = (
      operation: string,
      request: S3Request,
    ): Effect.Effect<FetchedAnswer, StorageError, Scope.Scope> =>
      Effect.gen(function* () {
        const { method, headers = {}, body } = request
        const url = addressOf(place, request.key, request.query)
        const payload = sha256(body ?? "")
        const signed = signHeaders(key, {
          method,
          url,
          headers: { ...headers, "x-amz-content-sha256": payload },
          payload,
          datetime: yield* signingMoment,
        })
        return yield* fetcher
          .fetch({
            url: url.href,
            method,
            headers: { ...signed, "accept-encoding": "identity" },
            ...(body === undefined ? {} : { body }),
            deadline: method === "GET" ? READ_DEADLINE : DEADLINE,
            maxBytes: Number.MAX_SAFE_INTEGER,
            redirects: 0,
            trusted: true,
          })
          .pipe(Effect.mapError(unreachable(operation)))
      })

    /** One request with its whole answer; repeated when it was not heard. */
    const send = (operation: string, request: S3Request): Effect.Effect<S3Answer, StorageError> =>
      Effect.gen(function* () {
        const { status, headers, body } = yield* open(operation, request)
        let length = 0
        const text = yield* body.pipe(
          Stream.takeWhile((chunk) => {
            length += chunk.length
            return length <= LONGEST_TEXT
          }),
          Stream.decodeText(),
          Stream.mkString,
          Effect.mapError(unreachable(operation)),
        )
        const answer = { status, headers, text }
        return status >= 500 || status === 429 ? yield* unexpected(operation, answer) : answer
      }).pipe(
        Effect.scoped,
        Effect.retry({ schedule: retries, while: (error) => error.reason === "unavailable" }),
      )

    return { open, send }
  })

export type S3Requests = Effect.Effect.Success<ReturnType<typeof makeS3Requests>>
