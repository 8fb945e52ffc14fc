import { matchEpisode } from "@earmark/core/feeds"
import { classifyLink, type Link, type WebPage } from "@earmark/core/links"
import type { ResolvedSource, SourceRefused } from "@earmark/service"
import { Effect, Either } from "effect"
import { episodeSource, mediaSource } from "./episodeSources.js"
import type { EpisodeChoice, makeFeeds } from "./Feeds.js"
import type { FoundFeed } from "./namedFeeds.js"
import { notMedia } from "./notMedia.js"
import { quoted } from "./pageTexts.js"
import type { ResolverSettings } from "./ResolverOptions.js"
import { notAFeed, refusal, refusedLink } from "./refusals.js"
import type { Address, makeVisits, Visit } from "./visits.js"

type WebLink = Extract<Link, { readonly kind: "media" | "feed" | "blob" | "web" }>

/** Pages name more feeds and files than that only to lead astray. */
const CANDIDATES_AT_MOST = 3

export const addressOf = (link: WebLink): Address => ({
  url: link.url,
  authorization: "authorization" in link ? link.authorization : null,
})

const noFeedThere = () =>
  refusal(
    "unresolvable_link",
    "source_unresolvable",
    "The address that is given for the feed of this show is none; paste the RSS feed itself.",
  )

const titled = (page: WebPage): string =>
  page.title === null ? "This page" : `The page ${quoted(page.title)}`

/** Addresses that their own bytes tell about: files, feeds, and pages that lead to either. */
export const makeLinks = (
  { visit }: ReturnType<typeof makeVisits>,
  feeds: ReturnType<typeof makeFeeds>,
  settings: ResolverSettings,
) => {
  /** An address on a page, if users may paste such. */
  const onPage = (address: string): Address | null => {
    const link = classifyLink(address, settings)
    if (Either.isLeft(link) || !("url" in link.right)) return null
    const { right } = link
    return "authorization" in right || right.kind === "media" || right.kind === "blob"
      ? addressOf(right)
      : { url: right.url, authorization: null }
  }

  /** The first of a few addresses that has what is wanted. One that does not answer now may be the one: then all of it is for later. */
  const firstOf = Effect.fnUntraced(function* <Found>(
    addresses: ReadonlyArray<string>,
    wanted: (visited: Visit, address: Address) => Effect.Effect<Found | null, SourceRefused>,
  ): Effect.fn.Return<Found | null, SourceRefused> {
    let later: SourceRefused | null = null
    for (const address of addresses.slice(0, CANDIDATES_AT_MOST)) {
      const candidate = onPage(address)
      if (candidate === null) continue
      const found = yield* visit(candidate).pipe(
        Effect.flatMap((visited) => wanted(visited, candidate)),
        Effect.either,
      )
      if (Either.isLeft(found)) later ??= found.left.later ? found.left : null
      else if (found.right !== null) return found.right
    }
    return later === null ? null : yield* later
  })

  /** A feed with episodes that the page names. */
  const discover = (page: WebPage): Effect.Effect<FoundFeed | null, SourceRefused> =>
    firstOf(page.feeds, (visited, address) =>
      visited.type !== "feed"
        ? Effect.succeed(null)
        : feeds
            .settle({ ...visited, authorization: address.authorization }, address)
            .pipe(Effect.map((found) => (found.feed.total > 0 ? found : null))),
    )

  /** The address of media that the page names. */
  const mediaOn = (page: WebPage): Effect.Effect<string | null, SourceRefused> =>
    firstOf(page.media, ({ type }, { url }) => Effect.succeed(type === "media" ? url : null))

  const matchIn = (page: WebPage, episodes: FoundFeed["feed"]["episodes"]) => {
    const none = { guid: null, audioUrl: null, link: null, title: null, publishedAt: null }
    const hints = [
      ...page.media.map((audioUrl) => ({ audioUrl })),
      ...page.addresses.map((link) => ({ link })),
      { title: page.title },
    ]
    for (const hint of hints) {
      const matched = matchEpisode(episodes, { ...none, durationSeconds: null, ...hint })
      if (matched.type === "found") return matched.episode
    }
    return null
  }

  /** The episode of the feed that a page is about: the same media, the same page, or the only one with the title of the page. */
  const episodeOf = Effect.fnUntraced(function* (page: WebPage, found: FoundFeed) {
    const episode =
      matchIn(page, found.feed.episodes) ??
      (found.feed.nextPageUrl === null ? null : matchIn(page, yield* feeds.allEpisodes(found)))
    return episode === null ? null : episodeSource(yield* feeds.checked(episode), found)
  })

  /** The media of a page under the name of the page. */
  const ownMedia = Effect.fnUntraced(function* (page: WebPage, shown: ResolvedSource["shown"]) {
    const mediaUrl = yield* mediaOn(page)
    return mediaUrl === null ? null : mediaSource(mediaUrl, { title: page.title, shown })
  })

  const fromPage = Effect.fnUntraced(function* (page: WebPage, link: WebLink, choice: EpisodeChoice) {
    const found = yield* discover(page)
    if (found !== null) {
      if (choice !== null) return episodeSource(yield* feeds.choose(found, choice), found)
      const episode = yield* episodeOf(page, found)
      if (episode !== null) return episode
    } else if (choice !== null) return yield* notAFeed()
    const media = yield* ownMedia(page, { kind: "media", url: link.url })
    if (media !== null) return media
    if (found !== null) return episodeSource(yield* feeds.choose(found, null), found)
    if (link.kind === "media") return yield* notMedia({ kind: "page" })
    return yield* refusal(
      "unresolvable_link",
      "source_unresolvable",
      `${titled(page)} leads to no podcast feed and no media; paste the address of the file, the feed, or the episode in Apple Podcasts.`,
    )
  })

  const resolve = Effect.fn("Links.resolve")(function* (link: WebLink, choice: EpisodeChoice) {
    const address = addressOf(link)
    const visited = yield* visit(address)
    switch (visited.type) {
      case "feed": {
        const found = yield* feeds.settle({ ...visited, authorization: address.authorization }, address)
        return episodeSource(yield* feeds.choose(found, choice), found)
      }
      case "page":
        return yield* fromPage(visited.page, link, choice)
      case "media":
      case "other": {
        if (choice !== null || link.kind === "feed") return yield* notAFeed()
        if (visited.type === "other") yield* acceptUnknown(visited, link)
        const source = mediaSource(link.url, {
          title: visited.title,
          shown: { kind: link.kind === "blob" ? "blob" : "media", url: link.url },
        })
        return { ...source, isPublic: source.isPublic && address.authorization === null }
      }
    }
  })

  /** The feed behind an address, or the one that its page names. */
  const feedFrom = Effect.fn("Links.feedFrom")(function* (address: Address) {
    const visited = yield* visit(address)
    if (visited.type === "feed") {
      return yield* feeds.settle({ ...visited, authorization: address.authorization }, address)
    }
    const found = visited.type === "page" ? yield* discover(visited.page) : null
    return found ?? (yield* notAFeed())
  })

  /** The feed at an address that somebody else names. */
  const feedAt = Effect.fnUntraced(function* (address: string) {
    const link = yield* Either.mapLeft(classifyLink(address, settings), (refused) =>
      refused.code === "blocked_address" ? refusedLink(refused) : noFeedThere(),
    )
    if (link.kind === "media" || link.kind === "feed" || link.kind === "blob" || link.kind === "web") {
      return yield* feedFrom(addressOf(link))
    }
    return yield* notAFeed()
  })

  return { resolve, feedFrom, feedAt, discover, episodeOf, mediaOn, ownMedia }
}

/** Bytes that nobody knows may be media all the same when the server or the name of the file says so: the decoder will tell. */
const acceptUnknown = (
  { sniffed, contentType }: Extract<Visit, { readonly type: "other" }>,
  { kind }: WebLink,
): Effect.Effect<void, SourceRefused> => {
  const isNamed = kind === "media" || /^(?:audio|video)\//i.test(contentType)
  return sniffed.kind === "unknown" && isNamed ? Effect.void : Effect.fail(notMedia(sniffed))
}
