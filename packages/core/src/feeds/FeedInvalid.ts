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

const RAISE = "Raise the limit if you trust the feed."

const SENTENCES: Readonly<Record<FeedInvalidReason, string>> = {
  empty: "This is empty. Look whether the download of the feed went through.",
  "web-page": "This is a web page, not a feed. Look for the address of its RSS feed.",
  "not-a-feed": "This is neither RSS, nor Atom, nor JSON Feed. Give the feed itself.",
  "unsupported-encoding": "This is written in UTF-32, which is not read. Convert it to UTF-8.",
  "feed-too-large": `The feed has more than {limit} bytes. ${RAISE}`,
  "item-too-large": `One item of the feed has more than {limit} bytes. ${RAISE}`,
  "too-many-items": `The feed has more than {limit} items. ${RAISE}`,
}

/** What was read is not a feed, or more of one than the limits allow. */
export class FeedInvalid extends Data.TaggedError("FeedInvalid")<{
  readonly reason: FeedInvalidReason
  /** The limit that was passed, in bytes or items; null for every other reason. */
  readonly limit: number | null
}> {
  override get message(): string {
    return SENTENCES[this.reason].replace("{limit}", (this.limit ?? 0).toLocaleString("en-US"))
  }
}
