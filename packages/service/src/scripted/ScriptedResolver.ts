import type { CaptionFile } from "@earmark/core/captions"
import type { FailureCode } from "@earmark/core/jobs"
import { ProblemCode } from "@earmark/core/wire"
import { DateTime, Effect, Layer, Schema } from "effect"
import {
  type ResolvedFeed,
  SourceRefused,
  type SourceRequest,
  SourceResolver,
} from "../ports/SourceResolver.js"
import { mediaBehind, says, secondsOf, valueIn } from "./ScriptedMedia.js"
import { speak } from "./speech.js"

const FIRST_EPISODE = 1_700_000_000_000
const WEEK = 7 * 86_400_000
const CUE_SECONDS = 5

const isFeed = (link: string): boolean => /\/feed\b|\.xml\b|\.rss\b/.test(link)

const refuse = (code: ProblemCode, failure: FailureCode, detail: string, later = false) =>
  new SourceRefused({ code, failure, detail, later })

/** `?refuse=unresolvable_link` and `?later` make a link fail. */
const check = (link: string): Effect.Effect<void, SourceRefused> => {
  if (says(link, "later")) {
    return Effect.fail(refuse("unresolvable_link", "download_failed", "The other side does not answer", true))
  }
  const code = valueIn(link, "refuse")
  return Schema.is(ProblemCode)(code)
    ? Effect.fail(refuse(code, "source_unresolvable", "The link was refused"))
    : Effect.void
}

/** The addresses of the episodes, newest first: `?episodes=3`, the other words going on to each of them. */
const addressesOf = (link: string): ReadonlyArray<string> => {
  const [base = "", query = ""] = link.split("?", 2)
  const parameters = new URLSearchParams(query)
  const count = Number(parameters.get("episodes") ?? 3)
  parameters.delete("episodes")
  const rest = parameters.size > 0 ? `?${parameters}` : ""
  return Array.from({ length: count }, (_, index) => {
    const number = count - index
    // Every copy of an episode is the same file under a second name.
    const name = says(link, "twice") ? Math.ceil(number / 2) : number
    return `${base}/${name}.mp3${rest}`
  })
}

const feedBehind = (link: string, limit: number): ResolvedFeed => {
  const addresses = addressesOf(link)
  return {
    feedUrl: link,
    title: valueIn(link, "title") ?? "A scripted show",
    total: addresses.length,
    episodes: addresses.slice(0, limit).map((address, index) => {
      const number = addresses.length - index
      const publishedAt = FIRST_EPISODE + number * WEEK
      const guid = `episode-${number}`
      const shown = {
        kind: "episode",
        url: address,
        feedUrl: link,
        episodeGuid: guid,
        publishedAt: DateTime.unsafeMake(publishedAt),
      } as const
      return {
        ...mediaBehind(address, shown),
        title: `Episode ${number}`,
        guid,
        index,
        publishedAt,
        link: null,
        image: null,
      }
    }),
  }
}

const captionsBehind = (url: string): CaptionFile => {
  const seconds = secondsOf(url)
  const cues = Array.from({ length: Math.ceil(seconds / CUE_SECONDS) }, (_, index) => {
    const start = index * CUE_SECONDS * 1000
    const end = Math.min(start + CUE_SECONDS * 1000, seconds * 1000)
    const words = speak(`${url} ${index}`, start, end)
    return { start, end, speaker: null, lines: [words.map(({ text }) => text).join(" ")], words: [] }
  })
  return { format: "vtt", language: valueIn(url, "language"), cues, problems: [] }
}

const resolve = Effect.fnUntraced(function* (request: SourceRequest) {
  if (request.type === "blob") {
    yield* check(request.url)
    return mediaBehind(request.url, { kind: "blob", url: request.url })
  }
  const { link, episode } = request
  yield* check(link)
  if (!isFeed(link)) return mediaBehind(link, { kind: "media", url: link })
  const { episodes } = feedBehind(link, Number.POSITIVE_INFINITY)
  const chosen = episodes.find(({ guid, index }) =>
    episode !== null && "guid" in episode ? guid === episode.guid : index === (episode?.index ?? 0),
  )
  return chosen ?? (yield* refuse("episode_not_found", "episode_not_found", "The feed has no such episode"))
})

/** Links of a world that exists in their text alone. */
export const layer = Layer.succeed(SourceResolver, {
  resolve,
  feed: (link, limit) => Effect.as(check(link), feedBehind(link, limit)),
  // A document is the address of a feed.
  readFeed: (document, limit) => {
    const link = new TextDecoder().decode(document).trim()
    return Effect.as(check(link), feedBehind(link, limit))
  },
  captions: ({ url }) => Effect.succeed(captionsBehind(url)),
})
