import { type Feed, FeedInvalid, feedReader } from "@earmark/core/feeds"
import type { FetchFailed } from "@earmark/service"
import { Clock, Effect, Either } from "effect"
import { breathe, inTurns } from "../inTurns.js"
import type { Body } from "./bodies.js"
import type { ResolverSettings } from "./ResolverOptions.js"
import { storableFeed } from "./storable.js"

/** After so many bytes everything else gets its turn. */
const TURN = 64 * 1024
/** An item or a JSON document is read in one go, so neither may be large enough to be noticed by others. */
const ITEM_BYTES = 2 * 1024 * 1024
const JSON_BYTES = 8 * 1024 * 1024

export interface FeedPlace {
  /** The address that the feed came from in the end. */
  readonly baseUrl?: string | undefined
  readonly charset?: string | undefined
}

/** All episodes of a feed, read in pieces between which other work goes on. */
export const readFeedBody = Effect.fnUntraced(function* (
  body: Pick<Body, "next">,
  place: FeedPlace,
  { feedBytes, feedItems }: Pick<ResolverSettings, "feedBytes" | "feedItems">,
): Effect.fn.Return<Feed, FetchFailed | FeedInvalid> {
  const limits = { feedBytes, items: feedItems, itemBytes: ITEM_BYTES, jsonBytes: JSON_BYTES }
  const reader = feedReader({ now: yield* Clock.currentTimeMillis, limits, ...place })
  let bytes = 0
  for (let piece = yield* body.next; piece !== null; piece = yield* body.next) {
    for (let at = 0; at < piece.length; at += TURN) {
      reader.push(piece.subarray(at, at + TURN))
      yield* breathe
    }
    bytes += piece.length
    if (bytes > feedBytes) return yield* new FeedInvalid({ reason: "feed-too-large", limit: feedBytes })
  }
  return yield* Either.map(yield* inTurns(reader.endInTurns()), storableFeed)
})
