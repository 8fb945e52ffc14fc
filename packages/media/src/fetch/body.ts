import { type FetchFailed, TimeLimit } from "@earmark/service"
import { Chunk, Clock, Effect, Option, Stream } from "effect"
import { decompress } from "./decompress.js"
import type { RawAnswer } from "./exchange.js"
import { failed, failureOf } from "./failures.js"

export interface BodyLimits {
  readonly host: string
  /** Milliseconds since 1970 after which nothing is read any more. */
  readonly endsAt: number
  /** Milliseconds without a byte. */
  readonly idle: number
  readonly maxBytes: number
  /** How many times larger than its wire form a body may be, once it is large. */
  readonly maxRatio: number
}

/** Below this size the ratio does not matter: short texts of one letter are honest. */
const RATIO_COUNTS_FROM = 8 * 1024 * 1024

export const timedOut = (host: string, status: number | null = null): FetchFailed =>
  failed("timeout", `${host} did not answer in time`, { status })

/** The decoded body, under every limit. Reading it twice is not possible. */
export const bodyOf = (answer: RawAnswer, limits: BodyLimits): Stream.Stream<Uint8Array, FetchFailed> => {
  const { host, endsAt, idle, maxBytes, maxRatio } = limits
  const { status } = answer
  if (answer.body === null) return Stream.empty
  const raw = answer.body
  const encoding = answer.headers["content-encoding"]
  const tooLarge = () => failed("too_large", `${host} sent more than ${maxBytes} bytes`, { status })
  const announced = Number(answer.headers["content-length"] ?? 0)

  const open = Effect.sync(() => {
    const { body, wireBytes } = decompress(raw, encoding)
    const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
    let bytes = 0

    const count = (chunk: Uint8Array) => {
      bytes += chunk.length
      if (bytes > maxBytes) return tooLarge()
      const isBomb = wireBytes() > 0 && bytes > RATIO_COUNTS_FROM && bytes > maxRatio * wireBytes()
      return isBomb
        ? failed("too_large", `${host} sent a body that unpacks without measure`, { status })
        : null
    }

    const pull = Effect.gen(function* () {
      const left = endsAt - (yield* Clock.currentTimeMillis)
      const next = yield* Effect.tryPromise({
        try: () => chunks.next(),
        catch: (error) => Option.some(failureOf(error, host, status)),
      }).pipe(
        TimeLimit.fail({
          duration: Math.max(0, Math.min(left, idle)),
          onTimeout: () => Option.some(timedOut(host, status)),
        }),
      )
      if (next.done === true) return yield* Effect.fail(Option.none())
      const excess = count(next.value)
      return excess === null ? Chunk.of(next.value) : yield* Effect.fail(Option.some(excess))
    })

    return { pull, body }
  })

  if (encoding === undefined && announced > maxBytes) return Stream.fail(tooLarge())
  return Stream.fromPull(
    Effect.acquireRelease(open, ({ body }) => Effect.sync(() => void body.destroy())).pipe(
      Effect.map(({ pull }) => pull),
    ),
  )
}
