import { readFileSync } from "node:fs"
import { readFeed } from "@earmark/core/feeds"
import { Either } from "effect"

const feed = readFeed(readFileSync("examples/quickstart/show.xml"), { newest: 2, now: Date.now() })

if (Either.isRight(feed)) {
  console.log(`${feed.right.total} episodes`)
  for (const { title, audioUrl } of feed.right.episodes) console.log(`${title}: ${audioUrl}`)
} else {
  console.error(feed.left.message)
}
