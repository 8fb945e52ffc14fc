/** Episodes of a feed, newest first, as the interface shows them; whatever more of it is known goes into the JSON. */
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

/** What is wanted of a feed. */
export interface Wanted {
  /** So many episodes, newest first. */
  readonly limit: number
  /** Everything that the feed says of each. */
  readonly details: boolean
}

/** A feed that was read. */
export interface Listed {
  readonly list: EpisodeList
  /** What came ends before the feed does. */
  readonly isCutOff: boolean
}
