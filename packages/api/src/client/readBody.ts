/** Reads a body as it comes. */
import { ConnectionError, TimeoutError } from "./errors.js"
import { type Platform, pause } from "./Platform.js"
import type { Opened } from "./Transport.js"

interface Patience {
  readonly platform: Platform
  /** Milliseconds without a byte after which the connection counts as broken. */
  readonly silence: number
  readonly signal: AbortSignal | undefined
}

/** The chunks of a body, each within the time allowed. Leaving the loop early closes the connection. */
export const chunksOf = async function* (
  { response, release }: Opened,
  { platform, silence, signal }: Patience,
): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader()
  if (reader === undefined) return release()
  try {
    for (;;) {
      const bell = new AbortController()
      const silent = pause(platform, silence, bell.signal).then(
        () => {
          throw new TimeoutError({ message: `The answer fell silent for ${silence} ms` })
        },
        () => undefined,
      )
      const next = reader.read().finally(() => bell.abort())
      const read = await Promise.race([next, silent.then(() => next)])
      if (read.done) return
      yield read.value
    }
  } catch (cause) {
    signal?.throwIfAborted()
    throw cause instanceof TimeoutError
      ? cause
      : new ConnectionError({ message: "The connection broke before the answer was whole", cause })
  } finally {
    release()
    // Nobody waits for it: a connection that is broken cannot be closed any better.
    reader.cancel().catch(() => undefined)
  }
}

/** Chunks as a stream of the web. */
export const streamOf = (chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => {
      await chunks.return()
    },
  })

/** All chunks as one. */
export const joined = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const parts: Array<Uint8Array> = []
  for await (const chunk of chunks) parts.push(chunk)
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
