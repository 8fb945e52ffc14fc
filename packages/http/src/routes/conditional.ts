import { Effect } from "effect"
import type { Reply } from "../answers/Reply.js"
import { type Arrived, headerOf } from "../requests/Arrived.js"
import { etagOf, isUnchanged } from "../requests/conditional.js"
import { finished, type Route } from "./Route.js"

/** A cache of the reader may keep it, and asks before each use. */
const CACHED = { "Cache-Control": "private, no-cache" } as const

/** The same for any cache on the way. */
export const CACHED_BY_ALL = { "Cache-Control": "public, no-cache" } as const

/** An answer under its tag; none when the client has it already. */
export const underTag = (
  reply: Reply,
  { request }: Arrived,
  cached: Readonly<Record<string, string>> = CACHED,
): Reply => {
  if (reply.body === null || reply.status !== 200) return reply
  const etag = etagOf(reply.body)
  // The policy of a page with its 304 too: browsers put the headers of both together, and the common one forbids its style.
  const headers = { ...reply.headers, ...cached, ETag: etag }
  return isUnchanged(headerOf(request, "if-none-match"), etag)
    ? { status: 304, headers, body: null }
    : { ...reply, headers }
}

/** A route whose answers have a tag, so that nothing is sent that the client has. */
export const withEtag = (route: Route): Route =>
  finished(route, (reply, arrived) => Effect.succeed(underTag(reply, arrived)))
