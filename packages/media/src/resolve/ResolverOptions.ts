import type { Cidr } from "@earmark/core/links"

export interface ResolverOptions {
  /** Private ranges whose literal addresses are accepted; the same as those of the `Fetcher`. */
  readonly allow?: ReadonlyArray<Cidr>
  /** Where Apple's directory is asked for shows and episodes. */
  readonly appleLookup?: string
  /** Milliseconds for which a feed is not asked for again. */
  readonly feedFreshFor?: number
  /** Milliseconds for one feed or page, and for one caption file. */
  readonly deadline?: number
  readonly captionsDeadline?: number
  /** Decoded bytes and items of one feed, and pages of a paged one. */
  readonly feedBytes?: number
  readonly feedItems?: number
  readonly feedPages?: number
}

export type ResolverSettings = Required<ResolverOptions>

const MEBIBYTE = 1024 * 1024

export const APPLE_LOOKUP = "https://itunes.apple.com/lookup"

export const resolverSettings = (options: ResolverOptions): ResolverSettings => ({
  allow: [],
  appleLookup: APPLE_LOOKUP,
  feedFreshFor: 60_000,
  deadline: 20_000,
  captionsDeadline: 10_000,
  feedBytes: 32 * MEBIBYTE,
  feedItems: 20_000,
  feedPages: 100,
  ...options,
})

/** Tracking prefixes nest, and each costs a redirect. */
export const REDIRECTS = 8
/** As much of a page as is looked at. */
export const PAGE_BYTES = 512 * 1024
export const APPLE_BYTES = 4 * MEBIBYTE
export const CAPTION_BYTES = 5 * MEBIBYTE
/** Episodes of a paged feed. */
export const EPISODES_AT_MOST = 50_000
