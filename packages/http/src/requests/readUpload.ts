import type { ArrivingUpload } from "@earmark/service"
import { Clock, Effect, Stream } from "effect"
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

const LEAST_BYTES_PER_SECOND = 8192
/** Before that nothing can be told of how fast a client is. */
const SETTLING_SECONDS = 30

/** A body that trickles in would hold a connection and a file for hours. */
const fastEnough = (body: Stream.Stream<Uint8Array, Refusal>) =>
  Stream.unwrap(
    Effect.map(Clock.currentTimeMillis, (began) => {
      let bytes = 0
      const look = (chunk: Uint8Array) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          bytes += chunk.length
          const allowed = SETTLING_SECONDS + bytes / LEAST_BYTES_PER_SECOND
          return (now - began) / 1000 > allowed ? Effect.fail(tooLittle) : Effect.void
        })
      return Stream.tap(body, look)
    }),
  )

/** Bytes on their way in, as fast as they are taken. What the address says of them is checked by its signature. */
export const readUpload = ({ request, path, query }: Arrived): ArrivingUpload<Refusal> => {
  const signed = new URLSearchParams(query)
  const length = headerOf(request, "content-length")
  return {
    mediaRef: `uploads/${path.account}/${path.file}`,
    query: {
      contentType: signed.get("type") ?? "",
      bytes: Number(signed.get("bytes") ?? Number.NaN),
      expiresAt: Number(signed.get("expires") ?? Number.NaN),
      signature: signed.get("signature") ?? "",
    },
    contentType: headerOf(request, "content-type"),
    contentLength: length === undefined ? undefined : Number(length),
    body: Stream.fromAsyncIterable<Uint8Array, Refusal>(request, () => gone).pipe(
      Stream.timeoutFail(() => tooSlow, "30 seconds"),
      fastEnough,
    ),
  }
}
