import type { OpenedRecording } from "@earmark/service"
import { Effect, Stream } from "effect"
import { Refusal } from "../answers/Refusal.js"
import type { Reply } from "../answers/Reply.js"
import { type Arrived, headerOf } from "../requests/Arrived.js"
import { type ByteRange, byteRangeOf } from "../requests/byteRange.js"
import { isUnchanged } from "../requests/conditional.js"

const unsatisfiable = (bytes: number) =>
  new Refusal({
    code: "range_not_satisfiable",
    detail: `The recording has ${bytes} bytes, and the range begins behind them.`,
    headers: { "Content-Range": `bytes */${bytes}`, "Accept-Ranges": "bytes" },
  })

/** What is asked for; all of it where the client has a part of another version. A question for the headers alone has no range. */
const askedOf = ({ request }: Arrived, etag: string, bytes: number): ReturnType<typeof byteRangeOf> => {
  const condition = headerOf(request, "if-range")
  const isOther = condition !== undefined && condition.trim() !== etag
  return isOther || request.method === "HEAD" ? "whole" : byteRangeOf(headerOf(request, "range"), bytes)
}

/** A recording, or the part of it that is asked for. */
export const mediaReply = (recording: OpenedRecording, arrived: Arrived): Effect.Effect<Reply, Refusal> => {
  const { contentType, bytes } = recording
  const etag = `"${recording.etag}"`
  const headers = {
    "Content-Type": contentType,
    "Content-Disposition": "inline",
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, no-cache",
    ETag: etag,
  }
  if (isUnchanged(headerOf(arrived.request, "if-none-match"), etag))
    return Effect.succeed({ status: 304, headers, body: null })
  const asked = askedOf(arrived, etag, bytes)
  if (asked === "unsatisfiable") return unsatisfiable(bytes)
  const { from, to }: ByteRange = asked === "whole" ? { from: 0, to: bytes } : asked
  return Effect.succeed({
    status: asked === "whole" ? 200 : 206,
    headers: {
      ...headers,
      "Content-Length": String(to - from),
      ...(asked !== "whole" && { "Content-Range": `bytes ${from}-${to - 1}/${bytes}` }),
    },
    body: null,
    bytes: Stream.toAsyncIterable(recording.read(from, to)),
  })
}
