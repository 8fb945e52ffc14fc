import { createReadStream } from "node:fs"
import { feedReader, selectEpisode } from "@earmark/core/feeds"
import { Either } from "effect"

// #region reader
const reader = feedReader({ now: Date.now(), newest: 50, baseUrl: "https://marks.example/feed.xml" })
for await (const chunk of createReadStream("examples/quickstart/show.xml")) reader.push(chunk)
const feed = reader.end()
// #endregion

// #region refused
if (Either.isLeft(feed)) {
  console.error(feed.left.reason, feed.left.message)
  process.exit(1)
}
// #endregion

// #region select
const newest = selectEpisode(feed.right, {})
const byGuid = selectEpisode(feed.right, { guid: "marks-4" })
const missing = selectEpisode(feed.right, { index: 7 })

for (const found of [newest, byGuid, missing]) {
  console.log(Either.match(found, { onLeft: (error) => error.message, onRight: ({ audioUrl }) => audioUrl }))
}
// #endregion

// #region transcripts
for (const { title, transcripts } of feed.right.episodes) {
  for (const { url, type } of transcripts) console.log(`${title} comes with ${type}: ${url}`)
}
// #endregion
