/** How much of a feed is read. Past a limit the whole feed is refused; a text past its limit is cut or left out. */
export interface FeedLimits {
  /** Bytes of the feed, as UTF-8. */
  readonly feedBytes: number
  readonly jsonBytes: number
  readonly itemBytes: number
  readonly items: number
  /** Characters; longer titles are cut. */
  readonly title: number
  /** Characters; a longer guid counts as missing. */
  readonly guid: number
}

const MEBIBYTE = 1024 * 1024

export const defaultFeedLimits: FeedLimits = {
  feedBytes: 256 * MEBIBYTE,
  jsonBytes: 32 * MEBIBYTE,
  itemBytes: 8 * MEBIBYTE,
  items: 100_000,
  title: 1_000,
  guid: 2_048,
}
