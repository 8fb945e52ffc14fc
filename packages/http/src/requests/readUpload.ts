import type { ArrivingUpload } from "@earmark/service"
import { Stream } from "effect"
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
    ),
  }
}
