import { isIP } from "node:net"
import { type Episode, mergeEpisodes, selectEpisode } from "@earmark/core/feeds"
import { isAllowedAddress, LinkRefused, stripCredentials } from "@earmark/core/links"
import type { SourceRefused } from "@earmark/service"
import { Clock, Effect, Either } from "effect"
import { type FoundFeed, namedAddress, settleFeed } from "./namedFeeds.js"
import { EPISODES_AT_MOST, type ResolverSettings } from "./ResolverOptions.js"
import { refusal, refusedEpisode, refusedLink } from "./refusals.js"
import type { Address, makeVisits } from "./visits.js"

export type EpisodeChoice = { readonly guid: string } | { readonly index: number } | null

const noWebAddress = () =>
  refusal(
    "unresolvable_link",
    "source_unresolvable",
    "The feed names no web address for the media of this episode; link or upload the recording itself.",
  )

/** Feeds by address: where they moved to, their further pages, their episodes. */
export const makeFeeds = ({ visit }: ReturnType<typeof makeVisits>, settings: ResolverSettings) => {
  const feedAt = Effect.fnUntraced(function* (address: Address) {
    const visited = yield* visit(address)
    if (visited.type !== "feed") return null
    const found: FoundFeed = { ...visited, authorization: address.authorization }
    return found
  })

  /** The feed behind an address in a feed; null when there is none. An address that is not visited refuses the whole. */
  const feedNamed = Effect.fnUntraced(function* (address: string, from: FoundFeed) {
    const next = yield* namedAddress(address, from, settings)
    return next === null ? null : yield* feedAt(next)
  })

  const settle = (found: FoundFeed, address: Address) => settleFeed(found, address, settings, feedAt)

  /** The episodes of every page. A page that cannot be had just now fails the whole, so that none is missing silently. */
  const allEpisodes = Effect.fnUntraced(function* (found: FoundFeed) {
    const pages: Array<ReadonlyArray<Episode>> = [found.feed.episodes]
    const seen = new Set([found.feedUrl])
    let page: FoundFeed | null = found
    let episodes = found.feed.episodes.length
    while (page !== null && pages.length < settings.feedPages && episodes < EPISODES_AT_MOST) {
      const next: string | null = page.feed.nextPageUrl
      if (next === null || seen.has(next)) break
      seen.add(next)
      page = yield* feedNamed(next, page).pipe(
        Effect.catchIf(
          ({ later, code }) => !later && code !== "blocked_address",
          () => Effect.succeed(null),
        ),
      )
      if (page === null) break
      pages.push(page.feed.episodes)
      episodes += page.feed.episodes.length
    }
    return pages.length === 1
      ? found.feed.episodes
      : mergeEpisodes(pages, { now: yield* Clock.currentTimeMillis })
  })

  const select = (episodes: ReadonlyArray<Episode>, total: number, choice: EpisodeChoice) =>
    selectEpisode({ episodes, total }, choice ?? {})

  /** A job is not begun for media that is not going to be fetched. */
  const checkedMedia = (audioUrl: string): Either.Either<string, SourceRefused> => {
    const web = URL.canParse(audioUrl) ? new URL(stripCredentials(audioUrl).url) : null
    if (web === null || !/^https?:$/.test(web.protocol)) return Either.left(noWebAddress())
    const literal = web.hostname.replace(/^\[|\]$/g, "")
    return isIP(literal) !== 0 && !isAllowedAddress(literal, settings.allow)
      ? Either.left(refusedLink(new LinkRefused({ reason: "blocked_address" })))
      : Either.right(audioUrl)
  }

  const checked = (episode: Episode): Either.Either<Episode, SourceRefused> =>
    Either.map(checkedMedia(episode.audioUrl), () => episode)

  /** The episode asked for, from later pages when the first does not have it. */
  const choose = Effect.fnUntraced(function* (found: FoundFeed, choice: EpisodeChoice) {
    const { episodes, total, nextPageUrl } = found.feed
    const first = select(episodes, total, choice)
    if (Either.isRight(first) || nextPageUrl === null || choice === null) {
      return yield* checked(yield* Either.mapLeft(first, refusedEpisode))
    }
    const all = yield* allEpisodes(found)
    return yield* checked(yield* Either.mapLeft(select(all, all.length, choice), refusedEpisode))
  })

  /** The newest episodes and how many there are. */
  const newest = Effect.fnUntraced(function* (found: FoundFeed, limit: number) {
    const { episodes, total, nextPageUrl } = found.feed
    if (limit <= episodes.length || nextPageUrl === null) return { total, episodes: episodes.slice(0, limit) }
    const all = yield* allEpisodes(found)
    return { total: all.length, episodes: all.slice(0, limit) }
  })

  return { settle, allEpisodes, checked, checkedMedia, choose, newest }
}
