import { parseFeedDate } from "@earmark/core/feeds"
import { childText, elementsOf, readXml } from "@earmark/core/xml"
import type { Fetcher } from "@earmark/service"
import { Effect, Either } from "effect"
import { openBody, readWhole } from "./bodies.js"
import { REDIRECTS, type ResolverSettings } from "./ResolverOptions.js"
import { refusedFetch, refusedStatus } from "./refusals.js"

/** A video in the feed of a channel or playlist. Such feeds name no media: each entry is a clip. */
export interface Video {
  readonly url: string
  readonly title: string | null
  readonly publishedAt: number | null
}

const FEED_BYTES = 2 * 1024 * 1024
const LONGEST_TITLE = 1000
const ID = /^[\w-]{11}$/

/** The videos of a channel's or playlist's feed, newest first. */
const readVideos = (xml: string): ReadonlyArray<Video> =>
  Either.match(readXml(xml), {
    onLeft: () => [],
    onRight: (feed) =>
      elementsOf(feed, "entry").flatMap((entry) => {
        const id = childText(entry, "yt:videoId")
        if (id === undefined || !ID.test(id)) return []
        return [
          {
            url: `https://www.youtube.com/watch?v=${id}`,
            title: childText(entry, "title")?.trim().slice(0, LONGEST_TITLE) || null,
            publishedAt: parseFeedDate(childText(entry, "published") ?? ""),
          },
        ]
      }),
  })

export const makeYoutubeFeeds = (fetcher: Fetcher["Type"], settings: ResolverSettings) => {
  const ask = Effect.fnUntraced(function* (url: string) {
    const answer = yield* fetcher.fetch({
      url,
      deadline: settings.deadline,
      maxBytes: FEED_BYTES,
      redirects: REDIRECTS,
    })
    if (answer.status !== 200) return yield* refusedStatus(answer.url, answer.status)
    const body = yield* openBody(answer, { unpackAtMost: FEED_BYTES })
    const bytes = yield* readWhole(body, FEED_BYTES)
    return readVideos(bytes?.toString("utf8") ?? "")
  })

  const videos = (url: string) =>
    Effect.scoped(ask(url)).pipe(
      Effect.catchTag("FetchFailed", (failed) => Effect.fail(refusedFetch(failed))),
    )

  return { videos }
}
