import {
  defaultFeedLimits,
  type Feed,
  type FeedInvalid,
  type FeedOptions,
  feedReader,
} from "@earmark/core/feeds"
import { Clock, Effect, Stream } from "effect"
import { isGzip } from "../resolve/bodies.js"
import { plainDocument } from "../resolve/feedDocument.js"
import type { ListedFeed, ListingWanted } from "./EpisodeList.js"
import { listOfFeed } from "./onWire.js"

/** The feed that a file or an answer holds, which may be packed as a server sent it. */
export const readFeedStream = Effect.fnUntraced(function* <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  { limit, details }: ListingWanted,
  place: Pick<FeedOptions, "baseUrl" | "charset"> = {},
): Effect.fn.Return<Feed, E | FeedInvalid, R> {
  const reader = feedReader({ newest: limit, details, now: yield* Clock.currentTimeMillis, ...place })
  const packed: Array<Uint8Array> = []
  let isPacked: boolean | null = null
  yield* Stream.runForEach(bytes, (chunk) =>
    Effect.sync(() => {
      isPacked ??= isGzip(chunk)
      if (isPacked) packed.push(chunk)
      else reader.push(chunk)
    }),
  )
  if (packed.length > 0) reader.push(yield* plainDocument(Buffer.concat(packed), defaultFeedLimits.feedBytes))
  return yield* reader.end()
})

/** The episodes of a feed that is at hand as bytes: of a file, or from standard input. */
export const listFeedStream = Effect.fn("listFeedStream")(function* <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  wanted: ListingWanted,
): Effect.fn.Return<ListedFeed, E | FeedInvalid, R> {
  const feed = yield* readFeedStream(bytes, wanted)
  return { list: listOfFeed(feed), isCutOff: feed.isCutOff }
})
