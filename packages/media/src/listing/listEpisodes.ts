/** The episodes of a feed at an address, with everything that it says of each. */
import { mergeEpisodes } from "@earmark/core/feeds"
import { type Cidr, classifyLink } from "@earmark/core/links"
import { Fetcher, SourceResolver } from "@earmark/service"
import { Clock, Effect, Either, Stream } from "effect"
import { type FoundFeed, namedAddress, settleFeed } from "../resolve/namedFeeds.js"
import { charsetOf } from "../resolve/pageTexts.js"
import { REDIRECTS, resolverSettings } from "../resolve/ResolverOptions.js"
import { refusedFetch, refusedStatus } from "../resolve/refusals.js"
import type { Address } from "../resolve/visits.js"
import type { ListedFeed, ListingWanted } from "./EpisodeList.js"
import { listOfFeed, listOfResolved } from "./onWire.js"
import { readFeedStream } from "./readFeedStream.js"

const { deadline, feedBytes: maxBytes, feedPages: MOST_PAGES } = resolverSettings({})

const ACCEPT = "application/rss+xml, application/atom+xml, application/feed+json, */*;q=0.5"

/** Private ranges whose literal addresses are accepted; the same as those of the `Fetcher`. */
interface Allowed {
  readonly allow: ReadonlyArray<Cidr>
}

const fetchFrom = Effect.fnUntraced(function* ({ url, authorization }: Address) {
  const fetcher = yield* Fetcher
  const headers = { accept: ACCEPT, ...(authorization !== null && { authorization }) }
  const answer = yield* fetcher.fetch({ url, headers, deadline, maxBytes, redirects: REDIRECTS })
  return answer.status === 200 ? answer : yield* refusedStatus(url, answer.status)
})

/** The feed itself; null where something else is. */
const readAt = (address: Address, wanted: ListingWanted) =>
  Effect.gen(function* () {
    const answer = yield* fetchFrom(address)
    const place = { baseUrl: answer.url, charset: charsetOf(answer.headers["content-type"]) }
    const feed = yield* readFeedStream(answer.body, wanted, place)
    const { url, authorization } = address
    const found: FoundFeed = { feed, feedUrl: answer.movedTo ?? url, authorization }
    return found
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      FetchFailed: (failure) => refusedFetch(failure),
      FeedInvalid: () => Effect.succeed(null),
    }),
  )

/** With the older episodes that its further pages hold, as far as they are wanted. */
const withOlder = Effect.fnUntraced(function* (first: FoundFeed, wanted: ListingWanted, allowed: Allowed) {
  const pages = [first.feed]
  let next = first.feed.nextPageUrl
  let count = first.feed.total
  while (next !== null && count < wanted.limit && pages.length < MOST_PAGES) {
    const address = yield* namedAddress(next, first, allowed)
    const read = address === null ? Effect.succeed(null) : readAt(address, wanted)
    const page = yield* Effect.orElseSucceed(read, () => null)
    if (page === null) return { feed: first.feed, isCutOff: true }
    pages.push(page.feed)
    count += page.feed.total
    next = page.feed.nextPageUrl
  }
  if (pages.length === 1) return { feed: first.feed, isCutOff: first.feed.isCutOff }
  const lists = pages.map(({ episodes }) => episodes)
  const episodes = mergeEpisodes(lists, { now: yield* Clock.currentTimeMillis })
  const feed = { ...first.feed, total: episodes.length, episodes: episodes.slice(0, wanted.limit) }
  return { feed, isCutOff: pages.some((page) => page.isCutOff) }
})

/** The address of a feed, where the words of the user are one. */
const directOf = (source: string, allowed: Allowed): Address | null => {
  const link = Either.getOrNull(classifyLink(source, allowed))
  if (link === null || !("url" in link) || link.kind === "page" || link.kind === "social") return null
  return { url: link.url, authorization: "authorization" in link ? link.authorization : null }
}

/**
 * The episodes of the feed behind an address: of the feed itself, of a page that names it, or of its page in a directory. Fewer than are
 * wanted, and `isCutOff`, where a part of the feed could not be had.
 */
export const listEpisodes = Effect.fn("listEpisodes")(function* (
  source: string,
  wanted: ListingWanted,
  allowed: Allowed = { allow: [] },
) {
  const read = Effect.fnUntraced(function* (address: Address) {
    const first = yield* readAt(address, wanted)
    if (first === null) return null
    const settled = yield* settleFeed(first, address, allowed, (moved) => readAt(moved, wanted))
    const { feed, isCutOff } = yield* withOlder(settled, wanted, allowed)
    const found: ListedFeed = { list: listOfFeed(feed), isCutOff }
    return found
  })
  const direct = directOf(source, allowed)
  // What cannot be had now is not asked for once more.
  const found = direct === null ? null : yield* read(direct)
  if (found !== null) return found
  // A show of a directory, a page that names a feed, or nothing of the kind: then this says what is wrong.
  const resolved = yield* (yield* SourceResolver).feed(source, wanted.limit)
  const there = yield* read({ url: resolved.feedUrl, authorization: direct?.authorization ?? null }).pipe(
    Effect.orElseSucceed(() => null),
  )
  const fallback: ListedFeed = { list: listOfResolved(resolved), isCutOff: false }
  return there === null || there.list.total === 0 ? fallback : there
})

/** The document at the address of a feed, as it is. */
export const downloadFeed = Effect.fn("downloadFeed")(
  function* (source: string, allowed: Allowed = { allow: [] }) {
    const answer = yield* fetchFrom(directOf(source, allowed) ?? { url: source, authorization: null })
    return Buffer.concat([...(yield* Stream.runCollect(answer.body))])
  },
  Effect.scoped,
  Effect.catchTag("FetchFailed", (failure) => refusedFetch(failure)),
)
