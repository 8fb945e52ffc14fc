import { Readable } from "node:stream"
import type { FetchFailed } from "@earmark/service"
import { Effect, type Scope } from "effect"
import fetch from "node-fetch"
import { hostOf } from "./address.js"
import type { Agents } from "./agents.js"
import { failureOf } from "./failures.js"
import type { Hop } from "./redirects.js"

/** An answer whose body has not been read yet. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable | null
}

/** The same bytes, not a copy of them. */
const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** One request, one answer, no redirect followed. The connection is gone when the scope is. */
export const exchange = (hop: Hop, agents: Agents): Effect.Effect<RawAnswer, FetchFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const controller = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort("the scope is over")),
    )
    const agent = hop.url.protocol === "https:" ? agents["https:"] : agents["http:"]
    const response = yield* Effect.tryPromise({
      try: () =>
        fetch(hop.url, {
          method: hop.method,
          headers: { ...hop.headers },
          body: hop.body === undefined ? null : asBuffer(hop.body),
          redirect: "manual",
          compress: false,
          agent,
          signal: controller.signal,
        }),
      catch: (error) => failureOf(error, hostOf(hop.url)),
    })
    // These announce the length of a body that does not come.
    const hasBody = hop.method !== "HEAD" && response.status !== 204 && response.status !== 304
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: hasBody && response.body instanceof Readable ? response.body : null,
    }
  })
