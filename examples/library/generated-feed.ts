import { readFeed } from "@earmark/core/feeds"
import { podcastEpisodes, rssFeed } from "@earmark/testkit"
import { Either } from "effect"

const text = [...rssFeed(podcastEpisodes(1_000, 7))].join("")
const feed = Either.getOrThrow(readFeed(Buffer.from(text), { now: Date.UTC(2026, 0, 2), newest: 1 }))

console.log(feed.total, feed.episodes[0]?.title?.startsWith("1000: "))
