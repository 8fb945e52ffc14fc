import type { Feed, FeedInvalid, FeedOptions } from "@earmark/core/feeds"
import { Effect, Stream } from "effect"

const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b

/** The feed that a file or an answer holds, which may be packed as a server sent it. */
export const readFeedStream = Effect.fnUntraced(function* <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  options: FeedOptions,
): Effect.fn.Return<Feed, E | FeedInvalid, R> {
  const { defaultFeedLimits, feedReader } = yield* Effect.promise(() => import("@earmark/core/feeds"))
  const reader = feedReader(options)
  const packed: Array<Uint8Array> = []
  let isPacked: boolean | null = null
  yield* Stream.runForEach(bytes, (chunk) =>
    Effect.sync(() => {
      isPacked ??= isGzip(chunk)
      if (isPacked) packed.push(chunk)
      else reader.push(chunk)
    }),
  )
  if (packed.length > 0) {
    const { plainDocument } = yield* Effect.promise(() => import("@earmark/media"))
    reader.push(yield* plainDocument(Buffer.concat(packed), defaultFeedLimits.feedBytes))
  }
  return yield* reader.end()
})
