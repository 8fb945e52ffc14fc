import { Fetcher, PaymentUnknown } from "@earmark/service"
import { Duration, Effect, Random, Redacted, Schedule, Schema, Stream } from "effect"
import { type Fields, formOf } from "./form.js"

export interface Reached {
  /** Where the API is, without a slash at its end. */
  readonly url: string
  readonly key: Redacted.Redacted<string>
  /** Waits before a request is repeated, each ±20 %. */
  readonly delays: ReadonlyArray<Duration.Duration>
  /** How long one answer may take. */
  readonly deadline: Duration.Duration
}

interface Question {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly fields?: Fields
  /** Under the same key Stripe does the same thing once. Every POST has one. */
  readonly idempotencyKey?: string
}

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Fields are read as they are in this version, whatever the account is set to. */
const VERSION = "2024-06-20"
const MOST_BYTES = 4 * 1024 * 1024

const unknown = (cause: unknown) => new PaymentUnknown({ cause })

/** What may have happened or may yet: too many requests, another one under the same key, and everything of the server's own. */
const isUnclear = (status: number): boolean => status === 409 || status === 429 || status >= 500

const json = Schema.decodeUnknown(Schema.parseJson())

/** Asks Stripe. An answer is one that says what has happened; everything else is `PaymentUnknown`, after a few repeats. */
export const makeAsk = Effect.fnUntraced(function* ({ deadline, delays, key, url }: Reached) {
  const fetcher = yield* Fetcher

  const once = Effect.fnUntraced(
    function* ({ fields = {}, idempotencyKey, method, path }: Question) {
      const form = formOf(fields)
      const isGet = method === "GET"
      const answer = yield* fetcher.fetch({
        url: `${url}${path}${isGet && form !== "" ? `?${form}` : ""}`,
        method,
        headers: {
          authorization: `Bearer ${Redacted.value(key)}`,
          "stripe-version": VERSION,
          ...(!isGet && { "content-type": "application/x-www-form-urlencoded" }),
          ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
        },
        ...(!isGet && { body: Buffer.from(form) }),
        deadline: Duration.toMillis(deadline),
        maxBytes: MOST_BYTES,
        redirects: 0,
        trusted: true,
      })
      const chunks = yield* Stream.runCollect(answer.body)
      if (isUnclear(answer.status)) return yield* unknown(`Stripe answered ${answer.status}`)
      const body = yield* json(Buffer.concat([...chunks]).toString("utf8"))
      return { status: answer.status, body } satisfies Answer
    },
    Effect.scoped,
    Effect.mapError(unknown),
  )

  const repeats = Schedule.recurs(delays.length).pipe(
    Schedule.addDelayEffect((turn) =>
      Effect.map(Random.nextRange(0.8, 1.2), (factor) =>
        Duration.times(delays[turn] ?? Duration.zero, factor),
      ),
    ),
  )

  return Effect.fn("Stripe.ask")(function* (question: Question) {
    const answer = yield* Effect.retry(once(question), repeats)
    // A key that is wrong is the operator's to mend: nothing was charged, and nobody declined.
    if (answer.status === 401 || answer.status === 403) {
      yield* Effect.logError("Stripe refuses the key of this service: nothing can be charged")
      return yield* unknown(`Stripe answered ${answer.status}`)
    }
    return answer
  })
})
