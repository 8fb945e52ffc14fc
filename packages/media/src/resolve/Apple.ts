import { matchEpisode } from "@earmark/core/feeds"
import type { Link } from "@earmark/core/links"
import { Effect } from "effect"
import { type makeAppleDirectory, subscribersOnly, unknownShow } from "./AppleDirectory.js"
import { type AppleEpisode, type AppleShow, readServerData } from "./appleRecords.js"
import { episodeSource, mediaSource } from "./episodeSources.js"
import type { EpisodeChoice, makeFeeds } from "./Feeds.js"
import type { makeLinks } from "./Links.js"
import type { FoundFeed } from "./namedFeeds.js"
import { refusal } from "./refusals.js"
import type { makeVisits } from "./visits.js"

type AppleLink = Extract<Link, { readonly kind: "apple" }>

const noSuchEpisode = (what: string) =>
  refusal(
    "episode_not_found",
    "episode_not_found",
    `${what}; paste the RSS feed and choose the episode by its guid or index.`,
  )

/** Links to shows and episodes in Apple's directory. */
export const makeApple = (
  directory: ReturnType<typeof makeAppleDirectory>,
  { visit }: ReturnType<typeof makeVisits>,
  feeds: ReturnType<typeof makeFeeds>,
  links: Pick<ReturnType<typeof makeLinks>, "feedAt">,
) => {
  const feedOf = Effect.fnUntraced(function* (showId: string, storefront: string | null) {
    const show = yield* directory.feedOf(showId, storefront)
    if (show === null) return yield* unknownShow()
    if (show.feedUrl === null) return yield* subscribersOnly()
    return yield* links.feedAt(show.feedUrl)
  })

  const match = Effect.fnUntraced(function* (found: FoundFeed, hints: AppleEpisode) {
    const first = matchEpisode(found.feed.episodes, hints)
    if (first.type !== "none" || found.feed.nextPageUrl === null) return first
    return matchEpisode(yield* feeds.allEpisodes(found), hints)
  })

  /** The episode as its own page has it, where the directory does not list it any more. */
  const fromPage = Effect.fnUntraced(function* (link: AppleLink, id: string) {
    const visited = yield* visit({ url: link.url, authorization: null })
    if (visited.type !== "page") return null
    const read = readServerData(visited.page.serverData, id)
    if (read !== null) return read
    const none = { guid: null, audioUrl: null, link: null, publishedAt: null, durationSeconds: null }
    const episode: AppleEpisode = { ...none, id, title: visited.page.title }
    return episode
  })

  const pageOrNothing = (link: AppleLink, id: string) =>
    fromPage(link, id).pipe(Effect.orElseSucceed(() => null))

  /** The media that Apple itself names, when the feed does not have the episode. */
  const streamOf = (link: AppleLink, audioUrl: string, { title, durationSeconds }: AppleEpisode) =>
    mediaSource(audioUrl, { title, durationSeconds, shown: { kind: "episode", url: link.url } })

  const inFeed = Effect.fnUntraced(function* (show: AppleShow, hints: AppleEpisode) {
    if (show.feedUrl === null) return null
    const found = yield* links.feedAt(show.feedUrl)
    const matched = yield* match(found, hints)
    if (matched.type === "ambiguous") {
      return yield* noSuchEpisode("Several episodes of the feed fit this Apple link alike")
    }
    return matched.type === "found" ? episodeSource(yield* feeds.checked(matched.episode), found) : null
  })

  const episode = Effect.fnUntraced(function* (link: AppleLink, id: string) {
    const show = yield* directory.show(link.showId, link.storefront)
    if (show === null) return yield* unknownShow()
    const listed = show.episodes.find((candidate) => candidate.id === id)
    const hints = listed ?? (yield* pageOrNothing(link, id))
    if (hints !== null) {
      const source = yield* inFeed(show, hints)
      if (source !== null) return source
      if (hints.audioUrl !== null) return streamOf(link, yield* feeds.checkedMedia(hints.audioUrl), hints)
    }
    if (show.feedUrl === null) return yield* subscribersOnly()
    return yield* noSuchEpisode("The feed of the show has no episode that fits this Apple link")
  })

  const resolve = Effect.fn("Apple.resolve")(function* (link: AppleLink, choice: EpisodeChoice) {
    if (choice === null && link.episodeId !== null) return yield* episode(link, link.episodeId)
    const found = yield* feedOf(link.showId, link.storefront)
    return episodeSource(yield* feeds.choose(found, choice), found)
  })

  return { resolve, feedOf }
}
