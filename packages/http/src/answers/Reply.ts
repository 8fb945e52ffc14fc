import { PROBLEM_STATUS } from "@earmark/api"
import { PROBLEM_TITLES } from "@earmark/core/wire"
import type { Effect } from "effect"
import { acceptsProblems } from "../requests/accepts.js"
import type { Refusal } from "./Refusal.js"

/** Writes a piece of an answer, once there is room for it. It ends with the connection. */
export type Write = (text: string) => Effect.Effect<void>

/** What goes out: a text, the pieces of a file, or nothing. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Iterable<string | Uint8Array> | null
  /** The bytes of a part of an object, read as fast as the client takes them; its length is among the headers. */
  readonly bytes?: AsyncIterable<Uint8Array>
  /** An answer that is written while it comes about. */
  readonly live?: (write: Write) => Effect.Effect<void>
}

const JSON_TYPE = "application/json; charset=utf-8"

export const jsonReply = (status: number, value: unknown, headers: Reply["headers"] = {}): Reply => ({
  status,
  headers: { "Content-Type": JSON_TYPE, ...headers },
  body: JSON.stringify(value),
})

/** Where people read what the codes mean. */
export const PROBLEMS_PAGE = "/docs/problems"

/** A refusal as a problem of RFC 9457; for clients that accept plain JSON alone it is called that. */
export const problemReply = (
  { code, detail, errors, extras, headers }: Refusal,
  facts: {
    readonly baseUrl: string
    readonly requestId: string
    /** The Accept header of the request. */
    readonly accept?: string | undefined
  },
): Reply => {
  const status = PROBLEM_STATUS[code]
  const body = {
    type: `${facts.baseUrl}${PROBLEMS_PAGE}#${code}`,
    title: PROBLEM_TITLES[code],
    status,
    detail,
    error: detail,
    code,
    request_id: facts.requestId,
    ...(errors !== undefined && errors.length > 0 && { errors }),
    ...extras,
  }
  const type = acceptsProblems(facts.accept) ? { "Content-Type": "application/problem+json" } : {}
  return jsonReply(status, body, { ...headers, ...type })
}
