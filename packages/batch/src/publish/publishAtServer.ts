/** Publishing at the addresses of a server. */
import type { EarmarkClient } from "@earmark/api/client"
import { Effect } from "effect"
import type { AskServer } from "../library/ServerRefusal.js"
import { tagsInto } from "./feedTags.js"
import { finishedJobs, type Shelf } from "./publishedJobs.js"
import { episodeOf, jobsInFeed, type NamedFeed } from "./publishSite.js"

export type Publication = Awaited<ReturnType<EarmarkClient["transcriptions"]["publish"]>>

const AT_ONCE = 4

/** Publishes each of them, and answers where. */
export const publishAll = <E>(
  ask: AskServer<E>,
  ids: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<Publication>, E> =>
  Effect.forEach(
    ids,
    (id) => ask((client, { signal }) => client.transcriptions.publish(id, {}, { signal })),
    { concurrency: AT_ONCE },
  )

/** Takes each of them back, and answers which were public. */
export const takeBackAll = <E>(
  ask: AskServer<E>,
  ids: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<string>, E> =>
  Effect.map(
    Effect.forEach(
      ids,
      (id) =>
        ask(async (client, { signal }) => {
          const isPublic = await client.transcriptions.publication(id, { signal }).then(
            () => true,
            // Unknown ids are refused by what follows.
            () => false,
          )
          await client.transcriptions.unpublish(id, { signal })
          return isPublic ? [id] : []
        }),
      { concurrency: AT_ONCE },
    ),
    (taken) => taken.flat(),
  )

/** The lines for a feed that lead to a publication. */
export const tagLinesOf = ({ tags }: Publication): ReadonlyArray<string> =>
  tags.chapters === null ? tags.transcripts : [...tags.transcripts, tags.chapters]

/** What the addresses of everything published there begin with. */
export const publicPlaceOf = ([first]: ReadonlyArray<Publication>): string | null => {
  const url = first?.files[0]?.url
  return url === undefined ? null : url.slice(0, url.lastIndexOf("/p/") + "/p/".length)
}

export interface FeedAtServer<E> {
  readonly ask: AskServer<E>
  readonly library: Pick<Shelf<E>, "idOf" | "list" | "superseded">
  /** Of the server. */
  readonly baseUrl: string
  /** Of them those that are of episodes of the feed; none: of all. */
  readonly ids: ReadonlyArray<string>
}

/** Publishes the transcripts of a feed's episodes at a server. Answers the feed with their tags, and where they are. */
export const publishIntoFeed = Effect.fn("publishIntoFeed")(function* <E>(
  feed: NamedFeed,
  { ask, library, baseUrl, ids }: FeedAtServer<E>,
) {
  const chosen = jobsInFeed(feed, yield* finishedJobs(library, ids)).map(episodeOf)
  const publications = yield* publishAll(
    ask,
    chosen.map(({ id }) => id),
  )
  const lines = new Map(publications.map((each) => [each.transcription_id, tagLinesOf(each)]))
  const episodes = chosen.map((each) => ({ ...each, tags: lines.get(each.id) ?? [] }))
  const place = publicPlaceOf(publications)
  return { feed: yield* tagsInto(feed.source, feed, episodes, place ?? `${baseUrl}/p/`), place }
})
