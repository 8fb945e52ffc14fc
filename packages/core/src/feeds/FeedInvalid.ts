import * as Data from "effect/Data"

/** Stable words for what is wrong with a feed. */
export type FeedInvalidReason =
  | "empty"
  | "web-page"
  | "not-a-feed"
  | "unsupported-encoding"
  | "feed-too-large"
  | "item-too-large"
  | "too-many-items"

const SENTENCES: Readonly<Record<FeedInvalidReason, string>> = {
  empty: "The address answered with nothing at all.",
  "web-page": "The address holds a web page, not a feed.",
  "not-a-feed": "The address holds neither RSS, nor Atom, nor JSON Feed.",
  "unsupported-encoding": "The feed is written in UTF-32, which nobody reads.",
  "feed-too-large": "The feed is larger than the limit.",
  "item-too-large": "One item of the feed is larger than the limit.",
  "too-many-items": "The feed has more items than the limit.",
}

/** What was read is not a feed, or more of one than the limits allow. */
export class FeedInvalid extends Data.TaggedError("FeedInvalid")<{ readonly reason: FeedInvalidReason }> {
  override get message(): string {
    return SENTENCES[this.reason]
  }
}
