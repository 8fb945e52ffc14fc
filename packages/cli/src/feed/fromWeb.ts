// @effect-diagnostics strictEffectProvide:off -- loaded for addresses alone: this is the one place that composes for them
/** The episodes of a feed at an address. Everything goes through the guarded door. */
import { mergeEpisodes } from "@earmark/core/feeds"
import { type Cidr, classifyLink, stripCredentials } from "@earmark/core/links"
import {
  FetcherNode,
  type FoundFeed,
  namedAddress,
  refusedFetch,
  refusedStatus,
  SocialVideo,
  SourceResolverWeb,
  settleFeed,
} from "@earmark/media"
import { service } from "@earmark/runtime/settings"
import {
  Fetcher,
  type ResolvedFeed,
  ServiceConfig,
  type SourceRefused,
  SourceResolver,
  TimeLimit,
} from "@earmark/service"
import { Clock, Duration, Effect, Either, Layer, Stream } from "effect"
import { type CommandFailed, failed } from "../CommandFailed.js"
import { settingOf } from "../settingOf.js"
import { sentenceOf } from "../transcribe/sentences.js"
import type { EpisodeList, Listed, Wanted } from "./EpisodeList.js"
import { instant, onWire } from "./onWire.js"
import { readFeedStream } from "./readFeedStream.js"

const MOST_PAGES = 100

const LIMITS = { deadline: 20_000, maxBytes: 32 * 1024 * 1024, redirects: 8 }

const ACCEPT = "application/rss+xml, application/atom+xml, application/feed+json, */*;q=0.5"

interface Address {
  readonly url: string
  readonly authorization: string | null
}

/** The feed itself; null where something else is. */
const readAt = ({ url, authorization }: Address, { limit, details }: Wanted) =>
  Effect.gen(function* () {
    const fetcher = yield* Fetcher
    const headers = { accept: ACCEPT, ...(authorization !== null && { authorization }) }
    const answer = yield* fetcher.fetch({ url, headers, ...LIMITS })
    if (answer.status !== 200) return yield* refusedStatus(url, answer.status)
    const [, charset] = /charset="?([\w-]+)/i.exec(answer.headers["content-type"] ?? "") ?? []
    const now = yield* Clock.currentTimeMillis
    const options = { newest: limit, details, now, baseUrl: answer.url, charset }
    const feed = yield* readFeedStream(answer.body, options)
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
const withOlder = Effect.fnUntraced(function* (first: FoundFeed, wanted: Wanted, allow: ReadonlyArray<Cidr>) {
  const pages = [first.feed]
  let next = first.feed.nextPageUrl
  let count = first.feed.total
  while (next !== null && count < wanted.limit && pages.length < MOST_PAGES) {
    const address = yield* namedAddress(next, first, { allow })
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

/** What is no feed by itself, and listed all the same: the videos of a channel. */
const listOf = ({ title, total, episodes }: ResolvedFeed): EpisodeList => ({
  total,
  returned: episodes.length,
  feed: { title },
  data: episodes.map((episode) => ({
    index: episode.index,
    title: episode.title,
    guid: episode.guid,
    published_at: instant(episode.publishedAt),
    duration_seconds: episode.durationSeconds,
    audio_url: episode.mediaUrl,
    link: episode.link,
    image: episode.image,
    transcripts: episode.captions.map(({ url, type = null, language }) => ({ url, type, language })),
  })),
})

/** The address of a feed, where the words of the user are one. */
const directOf = (source: string, allow: ReadonlyArray<Cidr>): Address | null => {
  const link = Either.getOrNull(classifyLink(source, { allow }))
  if (link === null || !("url" in link) || link.kind === "page" || link.kind === "social") return null
  return { url: link.url, authorization: "authorization" in link ? link.authorization : null }
}

const refused = (source: string) => (error: SourceRefused) =>
  failed(`${stripCredentials(source).url}: ${sentenceOf(error)}`)

const listed = Effect.fnUntraced(function* (source: string, wanted: Wanted, allow: ReadonlyArray<Cidr>) {
  const read = Effect.fnUntraced(function* (address: Address) {
    const first = yield* readAt(address, wanted)
    if (first === null) return null
    const settled = yield* settleFeed(first, address, { allow }, (moved) => readAt(moved, wanted))
    const { feed, isCutOff } = yield* withOlder(settled, wanted, allow)
    const found: Listed = { list: onWire(feed), isCutOff }
    return found
  })
  const direct = directOf(source, allow)
  // What cannot be had now is not asked for once more.
  const found = direct === null ? null : yield* Effect.mapError(read(direct), refused(source))
  if (found !== null) return found
  // A show of a directory, a page that names a feed, or nothing of the kind: then this says what is wrong.
  const resolver = yield* SourceResolver
  const resolved = yield* Effect.mapError(resolver.feed(source, wanted.limit), refused(source))
  const there = yield* read({ url: resolved.feedUrl, authorization: direct?.authorization ?? null }).pipe(
    Effect.orElseSucceed(() => null),
  )
  const fallback: Listed = { list: listOf(resolved), isCutOff: false }
  return there === null || there.list.total === 0 ? fallback : there
})

/** No feed is a post of a social site, so the program that reads those is not needed. */
const noSocial = Layer.succeed(SocialVideo, {
  missing: Effect.succeed(null),
  describe: () => Effect.dieMessage("A feed is no post"),
  download: () => Effect.dieMessage("A feed is no post"),
})

/** Reads what is behind an address, in the time that a person waits. */
const overWeb = Effect.fnUntraced(function* <A>(
  source: string,
  work: (allow: ReadonlyArray<Cidr>) => Effect.Effect<A, CommandFailed, Fetcher | SourceResolver>,
) {
  const allow = yield* settingOf(service.egressAllow)
  const web = SourceResolverWeb.layer({ allow }).pipe(
    Layer.provide(noSocial),
    Layer.provideMerge(FetcherNode.layer({ allow })),
  )
  const { requestWait } = ServiceConfig.defaults
  const tooSlow = () =>
    failed(
      `${stripCredentials(source).url}: the server did not answer in full within ${Duration.toSeconds(requestWait)} seconds. Try again later, or download the feed and give the file.`,
    )
  return yield* work(allow).pipe(
    Effect.provide(web),
    Effect.disconnect,
    TimeLimit.fail({ duration: requestWait, onTimeout: tooSlow }),
  )
})

/** The episodes of the feed behind an address: of the feed itself, of a page that names it, or of its page in a directory. */
export const fromWeb = Effect.fn("fromWeb")((source: string, wanted: Wanted) =>
  overWeb(source, (allow) => listed(source, wanted, allow)),
)

/** The document at the address of a feed, as it is. */
export const downloadFeed = Effect.fn("downloadFeed")((source: string) =>
  overWeb(source, (allow) =>
    Effect.gen(function* () {
      const { url, authorization } = directOf(source, allow) ?? { url: source, authorization: null }
      const fetcher = yield* Fetcher
      const headers = { accept: ACCEPT, ...(authorization !== null && { authorization }) }
      const answer = yield* fetcher.fetch({ url, headers, ...LIMITS })
      if (answer.status !== 200) return yield* refusedStatus(url, answer.status)
      return Buffer.concat([...(yield* Stream.runCollect(answer.body))])
    }).pipe(
      Effect.scoped,
      Effect.catchTag("FetchFailed", (failure) => refusedFetch(failure)),
      Effect.mapError(refused(source)),
    ),
  ),
)
