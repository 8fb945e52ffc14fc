import { Effect, Either } from "effect"
import { BatchRefused } from "../BatchRefused.js"

/** The feeds in the text of an OPML list, as podcast apps export them, and what the list calls itself. */
export const readFeedList = Effect.fn("readFeedList")(function* (text: string, from: string) {
  const { readOpml } = yield* Effect.promise(() => import("@earmark/core/xml"))
  const read = readOpml(text)
  return Either.isRight(read)
    ? read.right
    : yield* new BatchRefused({
        reason: "feed_list_invalid",
        subject: from,
        message: `Cannot read the feeds in ${from}: ${read.left.message}`,
      })
})
