import type { Fetcher } from "@earmark/service"
import { Effect, Runtime, Stream } from "effect"

const DEADLINE = 5000
const MOST_BYTES = 256 * 1024

interface Options {
  /** An operator wrote these addresses into the settings: they may be private. */
  readonly trusted: boolean
}

const bodyOf = async (init: RequestInit | undefined): Promise<Uint8Array | undefined> =>
  init?.body === undefined || init.body === null
    ? undefined
    : new Uint8Array(await new Response(init.body).arrayBuffer())

const METHODS = ["GET", "HEAD", "POST"] as const

/** The guarded door with the face of `fetch`, for libraries. Redirects are answers, bodies are short, and nothing waits for long. */
export const fetchThrough = (fetcher: Fetcher["Type"], { trusted }: Options): typeof globalThis.fetch => {
  const run = Runtime.runPromise(Runtime.defaultRuntime)
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    const method = METHODS.find((each) => each === (init?.method ?? "GET").toUpperCase()) ?? "GET"
    const body = await bodyOf(init)
    const headers = Object.fromEntries(new Headers(init?.headers))
    const exchange = Effect.gen(function* () {
      const answer = yield* fetcher.fetch({
        url,
        method,
        headers,
        ...(body !== undefined && { body }),
        deadline: DEADLINE,
        maxBytes: MOST_BYTES,
        redirects: 0,
        trusted,
      })
      const chunks = yield* Stream.runCollect(answer.body)
      const bytes = Buffer.concat([...chunks])
      const isBodiless = [101, 204, 205, 304].includes(answer.status)
      return new Response(isBodiless ? null : bytes, {
        status: answer.status,
        headers: { ...answer.headers },
      })
    })
    return run(Effect.scoped(exchange))
  }
}
