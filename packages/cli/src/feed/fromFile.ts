import { type ListingWanted, listFeedStream } from "@earmark/media"
import { Effect } from "effect"
import { failed } from "../CommandFailed.js"
import { open } from "../input.js"

/** The episodes of a feed in a file, or on standard input. */
export const fromFile = Effect.fn("fromFile")(function* (source: string, wanted: ListingWanted) {
  return yield* listFeedStream(yield* open(source), wanted).pipe(
    Effect.catchTag("FeedInvalid", ({ message }) => failed(`${source}: ${message}`)),
  )
})
