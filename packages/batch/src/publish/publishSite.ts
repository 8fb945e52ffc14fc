/** A library as a static site, with the feed of its podcast where there is one. */
import { siteFeed, siteTags } from "@earmark/core/publishing"
import { Effect } from "effect"
import { type FeedText, isInFeed, type TaggedEpisode, tagsInto } from "./feedTags.js"
import { type FinishedJob, finishedJobs, type Shelf } from "./publishedJobs.js"
import { SiteRefused } from "./SiteRefused.js"
import { type SiteOptions, writeSite } from "./writeSite.js"

/** The feed of a podcast, and what it is called in refusals. */
export interface NamedFeed extends FeedText {
  readonly source: string
}

/** The feed with tags in it. */
export interface TaggedFeed {
  readonly bytes: Buffer
  readonly items: number
  /** How many of them have a transcript now. */
  readonly tagged: number
}

/** What a transcript is found by in a feed. */
export const episodeOf = ({ id, source }: FinishedJob) => ({
  id,
  guid: source.episode_guid ?? null,
  mediaUrl: source.url ?? null,
})

/** Those of the finished that are of episodes of the feed. */
export const jobsInFeed = (feed: FeedText, jobs: ReadonlyArray<FinishedJob>): ReadonlyArray<FinishedJob> => {
  const has = isInFeed(feed)
  return jobs.filter((job) => has(episodeOf(job)))
}

export interface SiteRequest extends Omit<SiteOptions<never, never>, "feedOf"> {
  /** Ids of transcripts, or their beginnings; none: the newest of each episode, and with a feed those of its episodes. */
  readonly ids: ReadonlyArray<string>
  /** It takes the place of the site's own feed. Needs `baseUrl`: the tags hold the address of the site. */
  readonly feed: NamedFeed | null
}

/**
 * Writes transcripts as a site. Only what changed is written, and files of others stay. A feed that cannot be tagged, or has none of the
 * transcripts, is refused before anything is written.
 */
export const publishSite = Effect.fn("publishSite")(function* <E>(
  library: Shelf<E>,
  { ids, feed, ...options }: SiteRequest,
) {
  const finished = yield* finishedJobs(library, ids)
  if (feed === null) {
    const site = yield* writeSite(library, finished, {
      ...options,
      feedOf: (site) => Effect.succeed([siteFeed(site.baseUrl, site)]),
    })
    return { site, feed: null }
  }
  yield* tagsInto(feed.source, feed, [], options.baseUrl ?? "")
  // With a feed, nothing else of the library gets into the web, unless it is named.
  const jobs = ids.length > 0 ? finished : jobsInFeed(feed, finished)
  // A wrong feed would take every page away.
  if (jobs.length === 0)
    return yield* new SiteRefused({
      reason: "no_transcripts_of_feed",
      subject: feed.source,
      message: `No episode of ${feed.source} has a transcript here.`,
    })
  const written: Array<TaggedFeed> = []
  const site = yield* writeSite(library, jobs, {
    ...options,
    feedOf: ({ baseUrl, episodes }) => {
      const tagged: ReadonlyArray<TaggedEpisode> = episodes.map((episode) => ({
        ...episode,
        tags: siteTags(baseUrl, episode),
      }))
      return Effect.map(tagsInto(feed.source, feed, tagged, baseUrl), (made) => {
        written.push(made)
        return [made.bytes]
      })
    },
  })
  return { site, feed: written[0] ?? null }
})
