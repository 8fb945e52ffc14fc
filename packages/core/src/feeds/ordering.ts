import type { Episode } from "./Feed.js"

const DAY = 24 * 60 * 60 * 1000

/** Where a date puts an episode: later is higher. No date, and one more than a day ahead of now, come last. */
export const rankOf = (publishedAt: number | null, now: number): number =>
  publishedAt === null || publishedAt > now + DAY ? Number.NEGATIVE_INFINITY : publishedAt

/** An episode that gets its number when its place is known. */
type Unnumbered = Omit<Episode, "index"> & { index: number }

/** An episode with what orders it. */
interface Ranked {
  readonly rank: number
  readonly episode: Unnumbered
}

const newestFirst = (left: Ranked, right: Ranked) =>
  // Equal infinities must not make NaN.
  left.rank === right.rank ? 0 : right.rank - left.rank

/** Collects episodes in the order of the feed and hands them out newest first. */
export interface Episodes {
  /** Whether an episode of this rank would be handed out, as things stand. */
  readonly wants: (rank: number) => boolean
  /** The episode is numbered in place: one that belongs to others is copied before. */
  readonly add: (rank: number, episode: Unnumbered) => void
  readonly newestFirst: () => ReadonlyArray<Episode>
}

/** Keeps all of them, or only the newest `most`. */
export const collectEpisodes = (most: number): Episodes => {
  let kept: Array<Ranked> = []
  let threshold = Number.NEGATIVE_INFINITY
  let isFull = most === 0
  const trim = () => {
    kept.sort(newestFirst)
    kept.length = Math.min(kept.length, most)
  }
  return {
    wants: (rank) => !isFull || rank > threshold,
    add: (rank, episode) => {
      kept.push({ rank, episode })
      if (kept.length < most) return
      trim()
      isFull = true
      threshold = kept[kept.length - 1]?.rank ?? threshold
    },
    newestFirst: () => {
      trim()
      const ordered = kept.map(({ episode }) => episode)
      for (const [index, episode] of ordered.entries()) episode.index = index
      kept = []
      return ordered
    },
  }
}
