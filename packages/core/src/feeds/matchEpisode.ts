import { looseMediaIdentity, mediaIdentity, sameMedia } from "../links/mediaIdentity.js"
import { fold } from "../text/fold.js"
import { trimEndOf } from "../text/trimEndOf.js"
import type { Episode } from "./Feed.js"

/** What somebody else says about an episode of a feed. Null is "not said". */
export interface EpisodeHints {
  readonly guid: string | null
  readonly audioUrl: string | null
  /** The page of the episode. */
  readonly link: string | null
  readonly title: string | null
  readonly publishedAt: number | null
  readonly durationSeconds: number | null
}

/** Several candidates that fit alike are never chosen from. */
export type MatchedEpisode =
  | { readonly type: "found"; readonly episode: Episode }
  | { readonly type: "ambiguous" }
  | { readonly type: "none" }

const DAY = 24 * 60 * 60 * 1000
const DURATION_TOLERANCE = 5

/** The episode that the hints mean: by its guid, else its media, its page, and last its title with day and length. */
export const matchEpisode = (episodes: ReadonlyArray<Episode>, hints: EpisodeHints): MatchedEpisode => {
  const { guid, audioUrl, link, title } = hints
  // The newer one of two with the same guid.
  const byGuid = guid === null ? undefined : episodes.find((episode) => episode.guid === guid)
  if (byGuid !== undefined) return { type: "found", episode: byGuid }
  if (audioUrl !== null) {
    // Told once: an identity is its own identity, and soon compared.
    const wanted = mediaIdentity(audioUrl)
    const identities = episodes.map((episode) => mediaIdentity(episode.audioUrl))
    const byMedia = episodes.find((_, index) => sameMedia(identities[index] ?? "", wanted))
    if (byMedia !== undefined) return { type: "found", episode: byMedia }
    const loose = looseMediaIdentity(wanted)
    const alike = episodes.filter((_, index) => looseMediaIdentity(identities[index] ?? "") === loose)
    if (alike.length > 0) return onlyOne(alike)
  }
  if (link !== null) {
    const page = plainPage(link)
    const byPage = episodes.filter(
      (episode) => page !== "" && episode.link !== null && plainPage(episode.link) === page,
    )
    if (byPage.length > 0) return onlyOne(byPage)
  }
  return title === null ? { type: "none" } : onlyOne(byTitle(episodes, title, hints))
}

const byTitle = (
  episodes: ReadonlyArray<Episode>,
  title: string,
  { publishedAt, durationSeconds }: EpisodeHints,
): ReadonlyArray<Episode> => {
  const wanted = plainTitle(title)
  if (wanted === "") return []
  return episodes.filter(
    (episode) =>
      episode.title !== null &&
      plainTitle(episode.title) === wanted &&
      isNear(dayOf(publishedAt), dayOf(episode.publishedAt), 1) &&
      isNear(durationSeconds, episode.durationSeconds, DURATION_TOLERANCE),
  )
}

const onlyOne = ([first, second]: ReadonlyArray<Episode>): MatchedEpisode => {
  if (first === undefined) return { type: "none" }
  return second === undefined ? { type: "found", episode: first } : { type: "ambiguous" }
}

/** Letters and digits, whatever case, accents and marks are around them. */
const plainTitle = (title: string): string => fold(title).replace(/[^\p{L}\p{N}]+/gu, "")

/** What one of them does not say cannot speak against it. */
const isNear = (left: number | null, right: number | null, tolerance: number): boolean =>
  left === null || right === null || Math.abs(left - right) <= tolerance

const dayOf = (instant: number | null): number | null => (instant === null ? null : Math.floor(instant / DAY))

/** Empty for the front page of a site, which is the page of no episode. */
const plainPage = (address: string): string => {
  const page = trimEndOf(mediaIdentity(address).replace(/^https?:\/\/(?:www\.)?/, ""), "/")
  return /[/?]/.test(page) ? page : ""
}
