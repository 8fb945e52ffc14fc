import type { IncomingMessage } from "node:http"
import type { ArrivingUpload } from "@earmark/service"
import { Effect, Option, Schedule, Stream } from "effect"
import { Refusal } from "../answers/Refusal.js"
import { type Arrived, headerOf } from "./Arrived.js"

const gone = new Refusal({
  code: "invalid_request",
  detail: "The body ended before it was whole. Nothing of it was kept.",
})

const tooSlow = new Refusal({
  code: "request_timeout",
  detail: "No byte of the body arrived for half a minute. Nothing of it was kept.",
})

const tooLittle = new Refusal({
  code: "request_timeout",
  detail: "The body arrived at less than 8 kB a second. Nothing of it was kept.",
})

/** Milliseconds without a byte. */
const STOPPED_AFTER = 30_000
const LEAST_BYTES_PER_SECOND = 8192
/** Before that nothing can be told of how fast a client is. */
const SETTLING_SECONDS = 30

/**
 * The bytes of a body. One that stops, or trickles in, would hold a connection and a file for hours. One fiber looks after all of it: a
 * race for each piece leaves more garbage than the piece has bytes.
 */
export const arriving = (request: IncomingMessage) =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      const pieces = request.iterator({ destroyOnReturn: false })
      const began = clock.unsafeCurrentTimeMillis()
      let bytes = 0
      /** Who waits for the next piece, and since when. */
      let waiting: { readonly since: number; readonly refuse: () => void } | null = null

      const isTrickle = () => {
        const seconds = (clock.unsafeCurrentTimeMillis() - began) / 1000
        return seconds > SETTLING_SECONDS + bytes / LEAST_BYTES_PER_SECOND
      }

      const next = Effect.async<Uint8Array, Option.Option<Refusal>>((resume) => {
        const refuse = (refusal: Refusal) => resume(Effect.fail(Option.some(refusal)))
        waiting = { since: clock.unsafeCurrentTimeMillis(), refuse: () => refuse(tooSlow) }
        pieces.next().then(
          ({ done, value }) => {
            waiting = null
            if (done === true) return resume(Effect.fail(Option.none()))
            bytes += value.length
            if (isTrickle()) return refuse(tooLittle)
            resume(Effect.succeed(value))
          },
          () => refuse(gone),
        )
      })

      const look = Effect.sync(() => {
        if (waiting !== null && clock.unsafeCurrentTimeMillis() - waiting.since >= STOPPED_AFTER)
          waiting.refuse()
      })
      yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced("1 second")))
      return Stream.repeatEffectOption(next)
    }),
  )

/** The parameters of a signed address, each as it was written by whoever signed it: once, and numbers in digits alone. */
const signedParameters = (query: string) => {
  const parameters = new URLSearchParams(query)
  const text = (name: string): string => {
    const [value = "", ...more] = parameters.getAll(name)
    return more.length === 0 ? value : ""
  }
  const integer = (name: string): number => (/^\d+$/.test(text(name)) ? Number(text(name)) : Number.NaN)
  return { text, integer }
}

/** Bytes on their way in, as fast as they are taken. What the address says of them is checked by its signature. */
export const readUpload = ({ request, path, query }: Arrived): ArrivingUpload<Refusal> => {
  const { text, integer } = signedParameters(query)
  const length = headerOf(request, "content-length")
  return {
    mediaRef: `uploads/${path.account}/${path.file}`,
    query: {
      contentType: text("type"),
      bytes: integer("bytes"),
      expiresAt: integer("expires"),
      signature: text("signature"),
    },
    contentType: headerOf(request, "content-type"),
    contentLength: length === undefined ? undefined : Number(length),
    body: arriving(request),
  }
}
