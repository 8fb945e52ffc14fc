/** The headers of answers. */
import type { JsonObject } from "./json.js"

const text = (description: string): JsonObject => ({ description, schema: { type: "string" } })
const seconds = (description: string): JsonObject => ({
  description,
  schema: { type: "integer", minimum: 1 },
})

export const headers: Readonly<Record<string, JsonObject>> = {
  "Request-Id": text("Names this request; tell it when you ask for help."),
  RateLimit: text(
    'How much of a limit is left: `"create";r=7;t=3`, seven more now, all of it again in three seconds.',
  ),
  "RateLimit-Policy": text('The limit that the request counted against: `"create";q=120;w=60`.'),
  "Retry-After": seconds("After how many seconds to try again."),
  "WWW-Authenticate": text("`Bearer`."),
  "Idempotent-Replayed": text(
    "`true` when an earlier request with the same Idempotency-Key was given this answer.",
  ),
  Location: text("Where what was made is found."),
  ETag: text("Changes when the answer does."),
  "Content-Disposition": text("The name of the file."),
}

const named = (...names: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

interface Facts {
  readonly isGuarded: boolean
  readonly isRepeatable: boolean
  readonly hasEtag: boolean
  readonly isFile: boolean
}

const RETRIED: ReadonlyArray<number> = [409, 429, 503]

/** The headers of one answer. */
export const headersOf = (status: number, facts: Facts): JsonObject =>
  named(
    "Request-Id",
    ...(facts.isGuarded ? ["RateLimit", "RateLimit-Policy"] : []),
    ...(status === 401 ? ["WWW-Authenticate"] : []),
    ...(RETRIED.includes(status) ? ["Retry-After"] : []),
    ...(facts.isRepeatable && status < 300 ? ["Idempotent-Replayed"] : []),
    ...(status === 201 || status === 202 ? ["Location"] : []),
    ...(facts.hasEtag && status < 400 ? ["ETag"] : []),
    ...(facts.isFile && status === 200 ? ["Content-Disposition"] : []),
  )
