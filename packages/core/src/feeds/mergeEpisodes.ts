import type { Episode } from "./Feed.js"
import { collectEpisodes, rankOf } from "./ordering.js"

/** The episodes of several pages of one feed as one list, newest first: one with the guid and the audio of another is that other. */
export const mergeEpisodes = (
  pages: Iterable<ReadonlyArray<Episode>>,
  { now }: { readonly now: number },
): ReadonlyArray<Episode> => {
  const collected = collectEpisodes(Number.POSITIVE_INFINITY)
  const seen = new Set<string>()
  for (const page of pages) {
    for (const episode of page) {
      const key = `${episode.guid}\n${episode.audioUrl}`
      if (seen.has(key)) continue
      seen.add(key)
      collected.add(rankOf(episode.publishedAt, now), { ...episode })
    }
  }
  return collected.newestFirst()
}
