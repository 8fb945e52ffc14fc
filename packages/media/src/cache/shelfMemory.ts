import { createHash } from "node:crypto"
import { Effect, Stream } from "effect"
import type { Kept, Shelf, ShelfLimits } from "./shelf.js"

/** Answers in the memory of this process. */
export const makeMemoryShelf = ({ maxBytes, maxEntryBytes, maxEntries }: ShelfLimits): Shelf => {
  /** In the order of their last use. */
  const entries = new Map<string, { readonly kept: Kept; readonly body: Uint8Array }>()
  let bytes = 0

  const drop = (key: string) => {
    bytes -= entries.get(key)?.kept.bytes ?? 0
    entries.delete(key)
  }
  const add = (key: string, kept: Kept, body: Uint8Array) => {
    drop(key)
    entries.set(key, { kept, body })
    bytes += kept.bytes
    for (const oldest of entries.keys()) {
      if (bytes <= maxBytes && entries.size <= maxEntries) return
      drop(oldest)
    }
  }

  return {
    find: (key) =>
      Effect.sync(() => {
        const entry = entries.get(key)
        if (entry === undefined) return null
        entries.delete(key)
        entries.set(key, entry)
        return { kept: entry.kept, body: Stream.succeed(entry.body) }
      }),
    put: (key, facts, body) =>
      Effect.gen(function* () {
        const chunks: Array<Uint8Array> = []
        let length = 0
        const fits = (chunk: Uint8Array) => {
          length += chunk.length
          return length <= maxEntryBytes
        }
        yield* Stream.runForEachWhile(body, (chunk) =>
          Effect.sync(() => {
            if (!fits(chunk)) return false
            chunks.push(chunk)
            return true
          }),
        )
        if (length > maxEntryBytes) return null
        const whole = Buffer.concat(chunks)
        const sha256 = createHash("sha256").update(whole).digest("hex")
        const kept = { ...facts, bytes: length, sha256 }
        add(key, kept, whole)
        return { kept, body: Stream.succeed(whole) }
      }),
    renew: (key, kept) =>
      Effect.sync(() => {
        const entry = entries.get(key)
        if (entry !== undefined) add(key, kept, entry.body)
      }),
  }
}
