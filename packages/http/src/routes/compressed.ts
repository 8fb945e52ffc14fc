import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Effect } from "effect"
import type { Reply } from "../answers/Reply.js"
import { type Arrived, headerOf } from "../requests/Arrived.js"
import { acceptsGzip } from "../requests/accepts.js"
import { finished, type Route } from "./Route.js"

/** Below this a packet is sent all the same. */
const LEAST_BYTES = 1024

const gzipped = promisify(gzip)

/** Caches on the way keep both. */
const varying = (headers: Reply["headers"]): Reply["headers"] => ({
  ...headers,
  Vary: headers.Vary === undefined ? "Accept-Encoding" : `${headers.Vary}, Accept-Encoding`,
})

/** A tag says that two answers mean the same, and no longer that their bytes are the same. */
const weak = (etag: string | undefined): Reply["headers"] =>
  etag === undefined ? {} : { ETag: etag.startsWith("W/") ? etag : `W/${etag}` }

const compress = (reply: Reply, { request }: Arrived): Effect.Effect<Reply> => {
  const headers = varying(reply.headers)
  const { body } = reply
  const isLarge = typeof body === "string" && Buffer.byteLength(body) > LEAST_BYTES
  if (!isLarge || !acceptsGzip(headerOf(request, "accept-encoding")))
    return Effect.succeed({ ...reply, headers })
  return Effect.map(
    Effect.promise(() => gzipped(body)),
    (bytes): Reply => ({
      ...reply,
      headers: {
        ...headers,
        ...weak(headers.ETag),
        "Content-Encoding": "gzip",
        "Content-Length": String(bytes.length),
      },
      body: [bytes],
    }),
  )
}

/** A route whose answers are compressed where they are large and the client takes it. */
export const compressed = (route: Route): Route => finished(route, compress)
