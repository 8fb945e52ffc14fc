import type { Feed } from "@earmark/core/feeds"

export interface RememberedFeed {
  readonly feed: Feed
  /** Where it lives: the end of the permanent redirects that came first. */
  readonly feedUrl: string
  readonly etag: string | null
  readonly lastModified: string | null
  readonly checkedAt: number
}

const FEEDS_AT_MOST = 500
/** A hundred bytes to a kilobyte each. */
const EPISODES_AT_MOST = 100_000

/** The feeds that were read last, as many as are small beside everything else in the memory. */
export const makeFeedMemory = () => {
  const feeds = new Map<string, RememberedFeed>()
  let episodes = 0

  const remove = (key: string) => {
    episodes -= feeds.get(key)?.feed.episodes.length ?? 0
    feeds.delete(key)
  }

  const get = (key: string): RememberedFeed | undefined => {
    const found = feeds.get(key)
    if (found === undefined) return undefined
    // The order of the map is the order of use.
    feeds.delete(key)
    feeds.set(key, found)
    return found
  }

  const put = (key: string, feed: RememberedFeed): void => {
    remove(key)
    feeds.set(key, feed)
    episodes += feed.feed.episodes.length
    for (const oldest of feeds.keys()) {
      if (feeds.size <= FEEDS_AT_MOST && episodes <= EPISODES_AT_MOST) break
      remove(oldest)
    }
  }

  return { get, put }
}
