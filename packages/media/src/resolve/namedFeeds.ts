/** Addresses that a feed names: where it moved to, and its further pages. */
import type { Feed } from "@earmark/core/feeds"
import { classifyLink } from "@earmark/core/links"
import type { SourceRefused } from "@earmark/service"
import { Effect, Either } from "effect"
import type { ResolverSettings } from "./ResolverOptions.js"
import { refusedLink } from "./refusals.js"
import type { Address } from "./visits.js"

/** A feed, with where it lives and the login that it asks for. */
export interface FoundFeed {
  readonly feed: Feed
  readonly feedUrl: string
  readonly authorization: string | null
}

type Allowed = Pick<ResolverSettings, "allow">

const sameOrigin = (left: string, right: string): boolean =>
  URL.canParse(left) && URL.canParse(right) && new URL(left).origin === new URL(right).origin

/** An address that a feed names, under the rules for what users paste; null when it is none. */
export const namedAddress = (
  address: string,
  from: FoundFeed,
  { allow }: Allowed,
): Either.Either<Address | null, SourceRefused> =>
  Either.match(classifyLink(address, { allow }), {
    onLeft: (refused) =>
      refused.code === "blocked_address" ? Either.left(refusedLink(refused)) : Either.right(null),
    onRight: (link) => {
      if (!("url" in link)) return Either.right(null)
      const own = "authorization" in link ? link.authorization : null
      const inherited = sameOrigin(link.url, from.feedUrl) ? from.authorization : null
      return Either.right({ url: link.url, authorization: own ?? inherited })
    },
  })

/** The feed itself, or the one that it says it has moved to: that is followed once. */
export const settleFeed = Effect.fnUntraced(function* <R>(
  found: FoundFeed,
  asked: Address,
  allowed: Allowed,
  read: (address: Address) => Effect.Effect<FoundFeed | null, SourceRefused, R>,
) {
  const next = found.feed.newFeedUrl
  if (next === null || next === found.feedUrl || next === asked.url) return found
  const address = yield* namedAddress(next, found, allowed)
  if (address === null) return found
  const moved = yield* read(address).pipe(
    Effect.catchIf(
      ({ code }) => code !== "blocked_address",
      () => Effect.succeed(null),
    ),
  )
  return moved !== null && moved.feed.total > 0 ? moved : found
})
