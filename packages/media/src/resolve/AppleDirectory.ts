import type { Fetcher } from "@earmark/service"
import { Clock, Effect } from "effect"
import { type AppleShow, readLookup } from "./appleRecords.js"
import { openBody, readWhole } from "./bodies.js"
import { APPLE_BYTES, APPLE_LOOKUP, type ResolverSettings } from "./ResolverOptions.js"
import { refusal, refusedFetch, refusedStatus } from "./refusals.js"

const WEEK = 7 * 86_400_000
const MINUTES = 5 * 60_000
const SHOWS_AT_MOST = 1000
/** Stores that were up to date when others were not. */
const OTHER_STORES = ["us", "gb"]

interface Remembered {
  readonly show: AppleShow | null
  readonly until: number
}

/** Apple's directory of podcasts. It answers a nameless caller about twenty times a minute, so answers are kept. */
export const makeAppleDirectory = (fetcher: Fetcher["Type"], settings: ResolverSettings) => {
  const shows = new Map<string, Remembered>()

  const ask = Effect.fnUntraced(function* (showId: string, store: string) {
    const url = new URL(settings.appleLookup)
    for (const [name, value] of Object.entries({
      id: showId,
      entity: "podcastEpisode",
      limit: "200",
      country: store,
    })) {
      url.searchParams.set(name, value)
    }
    const answer = yield* fetcher.fetch({
      url: url.href,
      deadline: settings.deadline,
      maxBytes: APPLE_BYTES,
      redirects: 2,
      // An address in the settings was written by the operator.
      trusted: settings.appleLookup !== APPLE_LOOKUP,
    })
    // The directory says so when it was asked too often.
    if (answer.status === 403 || answer.status === 429) return yield* refusedStatus(answer.url, 429)
    if (answer.status !== 200) return yield* refusedStatus(answer.url, answer.status)
    const body = yield* openBody(answer, { unpackAtMost: APPLE_BYTES })
    const bytes = yield* readWhole(body, APPLE_BYTES)
    return bytes === null ? null : readLookup(bytes.toString("utf8"))
  })

  const guarded = (showId: string, store: string) =>
    Effect.scoped(ask(showId, store)).pipe(
      Effect.catchTag("FetchFailed", (failed) => Effect.fail(refusedFetch(failed))),
    )

  const remember = (key: string, remembered: Remembered) => {
    shows.delete(key)
    shows.set(key, remembered)
    for (const oldest of shows.keys()) {
      if (shows.size <= SHOWS_AT_MOST) break
      shows.delete(oldest)
    }
  }

  /** A show with its newest episodes, from the store of the link or one of the large ones. */
  const show = Effect.fn("AppleDirectory.show")(function* (showId: string, storefront: string | null) {
    const key = `${storefront ?? ""}/${showId}`
    const now = yield* Clock.currentTimeMillis
    const known = shows.get(key)
    if (known !== undefined && known.until > now) return known.show
    let found: AppleShow | null = null
    for (const store of new Set([...(storefront === null ? [] : [storefront]), ...OTHER_STORES])) {
      found = yield* guarded(showId, store)
      if (found !== null) break
    }
    // The list of episodes grows old sooner than the address of the feed.
    remember(key, { show: found, until: now + MINUTES })
    if (found?.feedUrl) remember(`feed/${showId}`, { show: { ...found, episodes: [] }, until: now + WEEK })
    return found
  })

  /** Where the feed of a show is, for those who need nothing else. */
  const feedOf = Effect.fn("AppleDirectory.feedOf")(function* (showId: string, storefront: string | null) {
    const known = shows.get(`feed/${showId}`)
    if (known !== undefined && known.until > (yield* Clock.currentTimeMillis)) return known.show
    return yield* show(showId, storefront)
  })

  return { show, feedOf }
}

/** Nobody in the directory has this id. */
export const unknownShow = () =>
  refusal(
    "unresolvable_link",
    "source_unresolvable",
    "Apple's directory knows no podcast with the id of this link; check the link, or paste the RSS feed of the show.",
  )

export const subscribersOnly = () =>
  refusal(
    "source_not_supported",
    "source_forbidden",
    "This show has no public feed, only Apple's own players get it; paste the RSS feed that the publisher gave you.",
  )
