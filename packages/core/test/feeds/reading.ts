import { type Episode, type Feed, type FeedOptions, readFeed } from "@earmark/core/feeds"
import { assert } from "@effect/vitest"
import * as Either from "effect/Either"

/** Every test reads at this moment. */
export const now = Date.UTC(2026, 10, 20)

export const bytesOf = (feed: string): Uint8Array => new TextEncoder().encode(feed)

/** The feed, which must be valid. */
export const read = (feed: string | Uint8Array, options: Partial<FeedOptions> = {}): Feed => {
  const bytes = typeof feed === "string" ? bytesOf(feed) : feed
  return Either.getOrThrowWith(readFeed(bytes, { now, ...options }), (error) => error)
}

/** The only episode of the feed. */
export const readOne = (feed: string | Uint8Array, options: Partial<FeedOptions> = {}): Episode => {
  const { episodes } = read(feed, options)
  assert.strictEqual(episodes.length, 1)
  const [episode] = episodes
  if (episode === undefined) throw new Error("no episode")
  return episode
}

/** The reason why it is no feed. */
export const reasonOf = (feed: string | Uint8Array, options: Partial<FeedOptions> = {}): string => {
  const bytes = typeof feed === "string" ? bytesOf(feed) : feed
  return Either.match(readFeed(bytes, { now, ...options }), {
    onLeft: (error) => error.reason,
    onRight: () => "no error",
  })
}

export const rss = (channel: string, attributes = ""): string =>
  `<?xml version="1.0"?><rss version="2.0" ${attributes}><channel>${channel}</channel></rss>`

export const audio = `<enclosure url="https://cdn.example/a.mp3" type="audio/mpeg" length="123"/>`

/** A feed of one playable item. */
export const oneItem = (content: string, attributes = ""): string =>
  rss(`<item>${content}${audio}</item>`, attributes)

/** The same bytes in pieces of one size. */
export function* inPieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
