import { createHash } from "node:crypto"
import { Effect, Layer, Stream } from "effect"
import { isObjectKey } from "../ports/objectKey.js"
import { ObjectMissing, ObjectRefused, ObjectStore } from "../ports/Uploads.js"

interface StoredObject {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly etag: string
}

const refuse = (reason: ObjectRefused["reason"]) => new ObjectRefused({ reason })

/** Reads a body of exactly so many bytes; of one that is longer, no more than that. */
const collect = <E>(body: Stream.Stream<Uint8Array, E>, bytes: number) =>
  Effect.gen(function* () {
    const buffer = new Uint8Array(bytes)
    let length = 0
    yield* Stream.runForEach(body, (chunk) =>
      Effect.suspend(() => {
        if (length + chunk.length > bytes) return refuse("too_long")
        buffer.set(chunk, length)
        length += chunk.length
        return Effect.void
      }),
    )
    if (length < bytes) return yield* refuse("too_short")
    return buffer
  })

export const layer = Layer.sync(ObjectStore, () => {
  const objects = new Map<string, StoredObject>()

  return ObjectStore.of({
    put: Effect.fn("ObjectStore.put")(function* ({ key, contentType, bytes }, body) {
      if (!isObjectKey(key)) return yield* refuse("key_invalid")
      if (objects.has(key)) return yield* refuse("exists")
      const collected = yield* collect(body, bytes)
      // Somebody else may have been quicker.
      if (objects.has(key)) return yield* refuse("exists")
      const etag = createHash("sha256").update(collected).digest("hex")
      objects.set(key, { bytes: collected, contentType, etag })
      return etag
    }),
    head: (key) =>
      Effect.sync(() => {
        const object = objects.get(key)
        if (object === undefined) return null
        return { bytes: object.bytes.length, contentType: object.contentType, etag: object.etag }
      }),
    read: (key, range = {}) =>
      Stream.suspend(() => {
        const object = objects.get(key)
        return object === undefined
          ? Stream.fail(new ObjectMissing({ key }))
          : Stream.succeed(object.bytes.slice(range.from ?? 0, range.to))
      }),
    remove: (key) => Effect.sync(() => void objects.delete(key)),
  })
})
