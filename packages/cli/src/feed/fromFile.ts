import { Clock, Effect } from "effect"
import { failed } from "../CommandFailed.js"
import { open } from "../input.js"
import type { Listed, Wanted } from "./EpisodeList.js"
import { onWire } from "./onWire.js"
import { readFeedStream } from "./readFeedStream.js"

/** The episodes of a feed in a file, or on standard input. */
export const fromFile = Effect.fn("fromFile")(function* (source: string, { limit, details }: Wanted) {
  const now = yield* Clock.currentTimeMillis
  const feed = yield* readFeedStream(yield* open(source), { newest: limit, details, now }).pipe(
    Effect.catchTag("FeedInvalid", ({ message }) => failed(`${source}: ${message}`)),
  )
  const listed: Listed = { list: onWire(feed), isCutOff: feed.isCutOff }
  return listed
})
