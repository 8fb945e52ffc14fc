import type { ResolvedFeed, SourceRefused } from "@earmark/service"
import { Effect } from "effect"
import { episodeSource } from "./episodeSources.js"
import { type ResolverOptions, resolverSettings } from "./ResolverOptions.js"
import { readFeedBody } from "./readFeedBody.js"
import { refusedFeed, refusedFetch } from "./refusals.js"

/**
 * The newest `limit` episodes of a feed that is at hand as a file. Its media is on the web all the same. A feed that does not say where
 * it lives is at no address.
 */
export const readFeedDocument = Effect.fn("FeedDocument.read")(function* (
  document: Uint8Array,
  limit: number,
  options: Pick<ResolverOptions, "feedBytes" | "feedItems"> = {},
): Effect.fn.Return<ResolvedFeed, SourceRefused> {
  const pieces = [document]
  const body = { next: Effect.sync(() => pieces.pop() ?? null) }
  const feed = yield* readFeedBody(body, {}, resolverSettings(options)).pipe(
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
