import * as Data from "effect/Data"
import * as Either from "effect/Either"
import { counted } from "../text/counted.js"
import type { Episode, Feed } from "./Feed.js"

/** Which episode: by its guid, by its place from the newest on, or, with neither, the newest. */
export interface EpisodeSelector {
  readonly guid?: string | undefined
  readonly index?: number | undefined
}

/** The feed was read, and holds no such episode. */
export class EpisodeNotFound extends Data.TaggedError("EpisodeNotFound")<{
  readonly reason: "no-episodes" | "unknown-guid" | "index-past-end"
  readonly total: number
}> {
  override get message(): string {
    if (this.reason === "no-episodes") return "The feed has no episode with playable media."
    if (this.reason === "unknown-guid") return "No episode of the feed has this guid."
    return `The feed has ${counted(this.total, "episode")}, counted from 0 (the newest) to ${this.total - 1}.`
  }
}

/** The wanted episode among those that were built. Of two with the same guid it is the newer one. */
export const selectEpisode = (
  { episodes, total }: Pick<Feed, "episodes" | "total">,
  { guid, index = 0 }: EpisodeSelector,
): Either.Either<Episode, EpisodeNotFound> => {
  const found = guid === undefined ? episodes[index] : episodes.find((episode) => episode.guid === guid)
  if (found !== undefined) return Either.right(found)
  if (total === 0) return Either.left(new EpisodeNotFound({ reason: "no-episodes", total }))
  return Either.left(
    new EpisodeNotFound({ reason: guid === undefined ? "index-past-end" : "unknown-guid", total }),
  )
}
