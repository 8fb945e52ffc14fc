import { selectEpisode } from "@earmark/core/feeds"
import { classifyLink, type Link, type WebPage } from "@earmark/core/links"
import { Effect, Either } from "effect"
import type { makeApple } from "./Apple.js"
import { episodeSource } from "./episodeSources.js"
import type { EpisodeChoice, makeFeeds } from "./Feeds.js"
import type { makeLinks } from "./Links.js"
import type { FoundFeed } from "./namedFeeds.js"
import { quoted } from "./pageTexts.js"
import { refusal, refusedEpisode } from "./refusals.js"
import type { makeVisits } from "./visits.js"
import type { makeYoutubeFeeds, Video } from "./youtubeFeeds.js"

export type PageLink = Extract<Link, { readonly kind: "page" }>

const EPISODE_PATH = /^\/\+|\/episodes?\//

const nothingThere = () =>
  refusal(
    "source_not_supported",
    "source_unresolvable",
    "This page of a podcast app gives away neither the feed nor the recording; paste the RSS or Apple link of the show instead.",
  )

const noSuchEpisode = (page: WebPage) =>
  refusal(
    "episode_not_found",
    "episode_not_found",
    `${page.title === null ? "The episode of this page" : `The episode ${quoted(page.title)}`} cannot be told apart in the feed of its show; paste the RSS or Apple link instead.`,
  )

/** Pages of podcast apps, and channels and playlists. */
export const makeAppPages = (
  { visit }: ReturnType<typeof makeVisits>,
  feeds: ReturnType<typeof makeFeeds>,
  links: ReturnType<typeof makeLinks>,
  apple: ReturnType<typeof makeApple>,
  youtube: ReturnType<typeof makeYoutubeFeeds>,
) => {
  const pageAt = Effect.fnUntraced(function* (url: string) {
    const visited = yield* visit({ url, authorization: null })
    return visited.type === "page" ? visited.page : yield* nothingThere()
  })

  const feedOf = Effect.fnUntraced(function* (page: WebPage, appleId: string | null) {
    const id = appleId ?? page.appleIds[0]
    return id === undefined ? yield* links.discover(page) : yield* apple.feedOf(id, null)
  })

  const newest = Effect.fnUntraced(function* (found: FoundFeed, choice: EpisodeChoice) {
    return episodeSource(yield* feeds.choose(found, choice), found)
  })

  const resolve = Effect.fn("AppPages.resolve")(function* (link: PageLink, choice: EpisodeChoice) {
    const isEpisode = EPISODE_PATH.test(new URL(link.url).pathname)
    const named = choice !== null || !isEpisode
    if (named && link.appleId !== null) return yield* newest(yield* apple.feedOf(link.appleId, null), choice)
    const page = yield* pageAt(link.url)
    const found = yield* feedOf(page, link.appleId)
    if (found !== null && choice !== null) return yield* newest(found, choice)
    const episode = found === null ? null : yield* links.episodeOf(page, found)
    if (episode !== null) return episode
    const media = yield* links.ownMedia(page, { kind: "episode", url: link.url })
    if (media !== null) return media
    if (found === null) return yield* nothingThere()
    return isEpisode ? yield* noSuchEpisode(page) : yield* newest(found, null)
  })

  /** The feed of the show that a page is about. */
  const feed = Effect.fn("AppPages.feed")(function* (link: PageLink) {
    if (link.appleId !== null) return yield* apple.feedOf(link.appleId, null)
    return (yield* feedOf(yield* pageAt(link.url), null)) ?? (yield* nothingThere())
  })

  /** The page of a channel names the channel; its address may not. */
  const channelFeed = Effect.fnUntraced(function* (link: PageLink) {
    if (link.feedUrl !== null) return link.feedUrl
    const page = yield* pageAt(link.url)
    for (const address of [...page.feeds, ...page.addresses]) {
      const channel = classifyLink(address)
      if (Either.isLeft(channel)) continue
      if (channel.right.kind === "page" && channel.right.feedUrl !== null) return channel.right.feedUrl
    }
    return yield* nothingThere()
  })

  const videos = Effect.fn("AppPages.videos")(function* (link: PageLink) {
    const feedUrl = yield* channelFeed(link)
    return { feedUrl, videos: yield* youtube.videos(feedUrl) }
  })

  /** The video that was chosen of a channel, the newest unless said otherwise. */
  const video = Effect.fnUntraced(function* (link: PageLink, choice: EpisodeChoice) {
    const { feedUrl, videos: all } = yield* videos(link)
    const episodes = all.map((one, index) => asEpisode(one, index))
    const chosen = yield* Either.mapLeft(
      selectEpisode({ episodes, total: episodes.length }, choice ?? {}),
      refusedEpisode,
    )
    return { feedUrl, url: chosen.audioUrl, guid: chosen.guid }
  })

  return { resolve, feed, videos, video }
}

const asEpisode = ({ url, title, publishedAt }: Video, index: number) => ({
  index,
  title,
  guid: url,
  publishedAt,
  durationSeconds: null,
  audioUrl: url,
  link: url,
  image: null,
  transcripts: [],
  details: null,
})
