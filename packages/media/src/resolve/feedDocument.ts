import { FeedInvalid } from "@earmark/core/feeds"
import type { ResolvedFeed, SourceRefused } from "@earmark/service"
import { Effect } from "effect"
import { isGzip, unpackGzip } from "./bodies.js"
import { episodeSource } from "./episodeSources.js"
import { type ResolverOptions, resolverSettings } from "./ResolverOptions.js"
import { readFeedBody } from "./readFeedBody.js"
import { refusedFeed, refusedFetch } from "./refusals.js"

/** The feed in a file, which may be packed as the server sent it. */
export const plainDocument = (document: Uint8Array, most: number): Effect.Effect<Uint8Array, FeedInvalid> =>
  isGzip(document)
    ? Effect.mapError(unpackGzip(document, most), (reason) =>
        reason === "too-large"
          ? new FeedInvalid({ reason: "feed-too-large", limit: most })
          : new FeedInvalid({ reason: "not-a-feed", limit: null }),
      )
    : Effect.succeed(document)

/**
 * The newest `limit` episodes of a feed that is at hand as a file. Its media is on the web all the same. A feed that does not say where
 * it lives is at no address.
 */
export const readFeedDocument = Effect.fn("FeedDocument.read")(function* (
  document: Uint8Array,
  limit: number,
  options: Pick<ResolverOptions, "feedBytes" | "feedItems"> = {},
): Effect.fn.Return<ResolvedFeed, SourceRefused> {
  const settings = resolverSettings(options)
  const feed = yield* plainDocument(document, settings.feedBytes).pipe(
    Effect.flatMap((plain) => {
      const pieces = [plain]
      return readFeedBody({ next: Effect.sync(() => pieces.pop() ?? null) }, {}, settings)
    }),
    Effect.catchTags({
      FeedInvalid: (invalid) => Effect.fail(refusedFeed(invalid)),
      FetchFailed: (failed) => Effect.fail(refusedFetch(failed)),
    }),
  )
  const found = { feed, feedUrl: feed.selfUrl ?? "", authorization: null }
  return {
    feedUrl: found.feedUrl,
    title: feed.title,
    total: feed.total,
    episodes: feed.episodes.slice(0, limit).map((episode) => episodeSource(episode, found)),
  }
})
