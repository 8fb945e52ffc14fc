import { parseCidrList } from "@earmark/core/links"
import { Fetcher, type FetchFailed, type FetchRequest } from "@earmark/service"
import { Effect, Either, Stream } from "effect"
import type { FetcherOptions } from "../../src/fetch/FetcherNode.js"
import { FetcherNode } from "../../src/index.js"

const ALLOWED = "127.0.0.1"

/** One loopback address is allowed; every other one is the private network. */
export const door = (options: FetcherOptions = {}) =>
  FetcherNode.layer({ allow: Either.getOrThrow(parseCidrList(`${ALLOWED}/32`)), ...options })

export const requestFor = (url: string, more: Partial<FetchRequest> = {}): FetchRequest => ({
  url,
  deadline: 10_000,
  maxBytes: 10_000_000,
  redirects: 8,
  ...more,
})

/** The whole exchange, with the body as text. */
export const fetchText = (url: string, more: Partial<FetchRequest> = {}) =>
  Effect.gen(function* () {
    const fetcher = yield* Fetcher
    const answer = yield* fetcher.fetch(requestFor(url, more))
    const chunks = yield* Stream.runCollect(answer.body)
    return { ...answer, body: Buffer.concat([...chunks]).toString("utf8") }
  }).pipe(Effect.scoped)

export const reasonFor = (
  url: string,
  more: Partial<FetchRequest> = {},
): Effect.Effect<FetchFailed["reason"], unknown, Fetcher> =>
  Effect.map(Effect.flip(fetchText(url, more)), ({ reason }) => reason)
