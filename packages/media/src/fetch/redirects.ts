import type { FetchFailed, FetchRequest } from "@earmark/service"
import { Either } from "effect"
import { failed } from "./failures.js"

/** One request on the way to an answer. */
export interface Hop {
  readonly url: URL
  readonly method: NonNullable<FetchRequest["method"]>
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** What another origin may see of the headers that were meant for the first one: nothing that could be a credential. */
const HARMLESS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "range",
  "user-agent",
])

export const isRedirect = (status: number, location: string | undefined): location is string =>
  REDIRECTS.has(status) && location !== undefined

export const isPermanent = (status: number): boolean => status === 301 || status === 308

const harmless = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name)))

/** Where an answer of this status and place sends the hop; the new address is not checked yet. */
export const nextHop = (
  hop: Hop,
  status: number,
  location: string,
): Either.Either<
  Omit<Hop, "url"> & { readonly address: string; readonly isSameOrigin: boolean },
  FetchFailed
> => {
  const base = hop.url.href
  if (!URL.canParse(location, base)) {
    return Either.left(
      failed("address_invalid", `${hop.url.hostname} redirects to something that is no address`, { status }),
    )
  }
  const next = new URL(location, base)
  const isSameOrigin = next.origin === hop.url.origin
  const becomesGet = status === 303 ? hop.method !== "HEAD" : status < 303 && hop.method === "POST"
  const body = becomesGet ? undefined : hop.body
  if (body !== undefined && !isSameOrigin) {
    const detail = `${hop.url.hostname} redirects a request with a body to another origin; that is not followed`
    return Either.left(failed("refused", detail, { status, isTransient: false }))
  }
  const headers = isSameOrigin ? hop.headers : harmless(hop.headers)
  return Either.right({
    address: next.href,
    isSameOrigin,
    method: becomesGet ? "GET" : hop.method,
    headers,
    body,
  })
}
