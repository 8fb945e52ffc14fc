import { parseFeedDate } from "@earmark/core/feeds"
import type { Fetcher } from "@earmark/service"
import { Effect } from "effect"
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
const ID = /<yt:videoId>([\w-]{11})<\/yt:videoId>/
const TITLE = /<title>([^<]{0,1000})<\/title>/
const PUBLISHED = /<published>([^<]{1,50})<\/published>/
const NAMES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
}

const plain = (text: string | undefined): string | null =>
  (text ?? "").replace(/&(amp|lt|gt|quot|apos|#39);/g, (_, name: string) => NAMES[name] ?? "").trim() || null

/** The videos of a channel's or playlist's feed, newest first. */
const readVideos = (xml: string): ReadonlyArray<Video> =>
  xml
    .split("<entry>")
    .slice(1)
    .flatMap((entry) => {
      const id = ID.exec(entry)?.[1]
      if (id === undefined) return []
      return [
        {
          url: `https://www.youtube.com/watch?v=${id}`,
          title: plain(TITLE.exec(entry)?.[1]),
          publishedAt: parseFeedDate(PUBLISHED.exec(entry)?.[1] ?? ""),
        },
      ]
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
