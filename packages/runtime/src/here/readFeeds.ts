// @effect-diagnostics strictEffectProvide:off -- feeds at addresses have their own door
/** Feeds at addresses of the web, for somebody who waits. Everything goes through the guarded door. */
import type { Cidr } from "@earmark/core/links"
import {
  downloadFeed,
  FetcherNode,
  type ListingWanted,
  listEpisodes,
  SocialVideo,
  SourceResolverWeb,
} from "@earmark/media"
import {
  type Fetcher,
  ServiceConfig,
  type SourceRefused,
  type SourceResolver,
  TimeLimit,
} from "@earmark/service"
import { Data, Duration, Effect, Layer } from "effect"
import { service } from "../settings/service.js"

/** The server of a feed did not answer in full in the time that a person waits. */
class FeedTooSlow extends Data.TaggedError("FeedTooSlow")<{ readonly seconds: number }> {}

/** No feed is a post of a social site, so the program that reads those is not needed. */
const noSocial = Layer.succeed(SocialVideo, {
  missing: Effect.succeed(null),
  describe: () => Effect.dieMessage("A feed is no post"),
  download: () => Effect.dieMessage("A feed is no post"),
})

const overWeb = Effect.fnUntraced(function* <A>(
  work: (allowed: {
    readonly allow: ReadonlyArray<Cidr>
  }) => Effect.Effect<A, SourceRefused, Fetcher | SourceResolver>,
) {
  const allow = yield* service.egressAllow
  const web = SourceResolverWeb.layer({ allow }).pipe(
    Layer.provide(noSocial),
    Layer.provideMerge(FetcherNode.layer({ allow })),
  )
  const { requestWait } = ServiceConfig.defaults
  return yield* work({ allow }).pipe(
    Effect.provide(web),
    Effect.disconnect,
    TimeLimit.fail({
      duration: requestWait,
      onTimeout: () => new FeedTooSlow({ seconds: Duration.toSeconds(requestWait) }),
    }),
  )
})

/** The episodes of the feed behind an address: of the feed itself, of a page that names it, or of its page in a directory. */
export const listFeedAt = (source: string, wanted: ListingWanted) =>
  overWeb((allowed) => listEpisodes(source, wanted, allowed))

/** The document at the address of a feed, as it is. */
export const downloadFeedAt = (source: string) => overWeb((allowed) => downloadFeed(source, allowed))
