import { parseRetryAfter } from "@earmark/core/jobs"
import type { Fetcher, FetchFailed, FetchRequest, WorkFailed } from "@earmark/service"
import { Clock, Duration, Effect, Random, Stream } from "effect"
import { broken, tooSlow, unavailable } from "../failures.js"

export interface ServerRequest extends Pick<FetchRequest, "url" | "method" | "headers" | "body"> {
  /** How long an answer may take. */
  readonly deadline: Duration.Duration
  /** Between tries, each ±20 %, where the server does not say how long to wait. */
  readonly delays?: ReadonlyArray<Duration.Duration> | undefined
}

export interface ServerAnswer {
  readonly status: number
  readonly body: string
}

const MOST_BYTES = 16 * 1024 * 1024
const DELAYS = [Duration.seconds(1), Duration.seconds(4), Duration.seconds(15)]
/** A server that asks for more patience than this is unavailable. */
const LONGEST_WAIT = Duration.minutes(2)
const SECONDS = /^\d{1,6}(?:\.\d+)?$/

const isBusy = (status: number) => status === 429 || status >= 500

/** Milliseconds that a header asks to wait. */
const waitAsked = (header: string | undefined) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    if (header === undefined) return null
    const seconds = SECONDS.test(header) ? Number(header) : parseRetryAfter(header, now)
    return seconds === null ? null : seconds * 1000
  })

const jittered = (delay: Duration.Duration) =>
  Effect.map(Random.nextRange(0.8, 1.2), (factor) => Duration.times(delay, factor))

interface Came extends ServerAnswer {
  readonly retryAfter: number | null
}

const exchange = (
  fetch: Fetcher["Type"]["fetch"],
  { deadline, delays: _, ...request }: ServerRequest,
): Effect.Effect<Came, FetchFailed> =>
  Effect.gen(function* () {
    const answer = yield* fetch({
      ...request,
      deadline: Duration.toMillis(deadline),
      maxBytes: MOST_BYTES,
      redirects: 0,
      trusted: true,
    })
    const chunks = yield* Stream.runCollect(answer.body)
    return {
      status: answer.status,
      body: Buffer.concat([...chunks]).toString("utf8"),
      retryAfter: yield* waitAsked(answer.headers["retry-after"]),
    }
  }).pipe(Effect.scoped)

/** The answer of a server that the operator named, neither busy nor broken off: asked again as long as that may help. */
export const askServer = Effect.fnUntraced(function* (
  fetch: Fetcher["Type"]["fetch"],
  request: ServerRequest,
): Effect.fn.Return<ServerAnswer, WorkFailed> {
  const { host } = new URL(request.url)
  const { delays = DELAYS } = request
  for (let turn = 0; ; turn++) {
    const came = yield* Effect.either(exchange(fetch, request))
    if (came._tag === "Right" && !isBusy(came.right.status)) return came.right
    const why = came._tag === "Right" ? `${host} answered ${came.right.status}.` : came.left.detail
    if (came._tag === "Left" && !came.left.isTransient) return yield* broken(why)
    const delay = delays[turn]
    const isTimeout = came._tag === "Left" && came.left.reason === "timeout"
    if (delay === undefined || isTimeout) return yield* isTimeout ? tooSlow(why) : unavailable(why)
    const asked = came._tag === "Right" ? came.right.retryAfter : came.left.retryAfter
    const wait = asked === null ? yield* jittered(delay) : Duration.millis(asked)
    if (Duration.greaterThan(wait, LONGEST_WAIT)) return yield* unavailable(why)
    yield* Effect.sleep(wait)
  }
})
