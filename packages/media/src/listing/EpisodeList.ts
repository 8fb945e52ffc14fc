/** What is wanted of a feed. */
export interface ListingWanted {
  /** So many episodes, newest first. */
  readonly limit: number
  /** Everything that the feed says of each. */
  readonly details: boolean
}

/** Episodes of a feed, newest first, in the words of the wire; whatever more of it is known stands beside. */
export interface EpisodeList {
  readonly total: number
  readonly returned: number
  readonly feed: { readonly title: string | null }
  readonly data: ReadonlyArray<{
    readonly index: number
    readonly title: string | null
    readonly guid: string
    readonly published_at: string | null
    readonly duration_seconds: number | null
  }>
}

/** A feed that was read. */
export interface ListedFeed {
  readonly list: EpisodeList
  /** What came ends before the feed does. */
  readonly isCutOff: boolean
}
