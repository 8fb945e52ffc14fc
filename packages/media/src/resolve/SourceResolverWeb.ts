import { classifyLink, type Link } from "@earmark/core/links"
import { Fetcher, type ResolvedFeed, type SourceRequest, SourceResolver } from "@earmark/service"
import { DateTime, Effect, Either, Layer } from "effect"
import { SocialVideo } from "../obtain/SocialVideo.js"
import { makeApple } from "./Apple.js"
import { makeAppleDirectory } from "./AppleDirectory.js"
import { makeAppPages, type PageLink } from "./AppPages.js"
import { makeCaptionFiles } from "./captionFiles.js"
import { episodeSource, mediaSource } from "./episodeSources.js"
import { type EpisodeChoice, makeFeeds } from "./Feeds.js"
import { readFeedDocument } from "./feedDocument.js"
import { addressOf, makeLinks } from "./Links.js"
import type { FoundFeed } from "./namedFeeds.js"
import { type ResolverOptions, resolverSettings } from "./ResolverOptions.js"
import { notAFeed, refusal, refusedLink } from "./refusals.js"
import { makeSocial } from "./Social.js"
import { makeVisits } from "./visits.js"
import { makeYoutubeFeeds } from "./youtubeFeeds.js"

const useMediaRef = () =>
  refusal(
    "invalid_request",
    "source_unresolvable",
    "This is the media_ref of an upload, not a link; send it as media_ref.",
  )

const make = Effect.fnUntraced(function* (options: ResolverOptions) {
  const settings = resolverSettings(options)
  const fetcher = yield* Fetcher
  const program = yield* SocialVideo
  const visits = makeVisits(fetcher, yield* Effect.scope, settings)
  const feeds = makeFeeds(visits, settings)
  const links = makeLinks(visits, feeds, settings)
  const apple = makeApple(makeAppleDirectory(fetcher, settings), visits, feeds, links)
  const pages = makeAppPages(visits, feeds, links, apple, makeYoutubeFeeds(fetcher, settings))
  const social = makeSocial(program, visits, links)
  const captionFiles = makeCaptionFiles(fetcher, settings)

  const classify = (text: string) => Either.mapLeft(classifyLink(text, settings), refusedLink)

  const fromLink = Effect.fnUntraced(function* (link: Link, choice: EpisodeChoice) {
    switch (link.kind) {
      case "upload":
        return yield* useMediaRef()
      case "apple":
        return yield* apple.resolve(link, choice)
      case "social":
        return choice === null ? yield* social.resolve(link.url) : yield* notAFeed()
      case "page": {
        if (link.app !== "youtube") return yield* pages.resolve(link, choice)
        return yield* social.resolve((yield* pages.video(link, choice)).url)
      }
      default:
        return yield* links.resolve(link, choice)
    }
  })

  /** A blob is a file, whatever its host is known for. Its query may be a signature: then it is nobody else's. */
  const fromBlob = Effect.fnUntraced(function* (text: string) {
    const link = yield* classify(text)
    if (link.kind === "upload") return yield* useMediaRef()
    const source = yield* links.resolve({ kind: "blob", url: link.url }, null)
    return source.shown.kind === "blob"
      ? {
          ...source,
          isPublic: source.isPublic && !/[?&](?:x-amz-|x-goog-|sig|signature|token|expires)/i.test(link.url),
        }
      : yield* refusal(
          "unsupported_media",
          "unsupported_media",
          "A blob_url leads to a recording itself, and this one does not; send feeds and pages as url.",
        )
  })

  const resolve = Effect.fn("SourceResolver.resolve")(function* (request: SourceRequest) {
    return request.type === "blob"
      ? yield* fromBlob(request.url)
      : yield* fromLink(yield* classify(request.link), request.episode)
  })

  const listed = Effect.fnUntraced(function* (found: FoundFeed, limit: number) {
    const { total, episodes } = yield* feeds.newest(found, limit)
    const list: ResolvedFeed = {
      feedUrl: found.feedUrl,
      title: found.feed.title,
      total,
      episodes: episodes.map((episode) => episodeSource(episode, found)),
    }
    return list
  })

  const channel = Effect.fnUntraced(function* (link: PageLink, limit: number) {
    const { feedUrl, videos } = yield* pages.videos(link)
    const list: ResolvedFeed = {
      feedUrl,
      title: null,
      total: videos.length,
      episodes: videos.slice(0, limit).map(({ url, title, publishedAt }, index) => ({
        ...mediaSource(url, {
          title,
          shown: {
            kind: "social",
            url,
            ...(publishedAt !== null && { publishedAt: DateTime.unsafeMake(publishedAt) }),
          },
        }),
        guid: url,
        index,
        publishedAt,
        link: url,
        image: null,
      })),
    }
    return list
  })

  const feed = Effect.fn("SourceResolver.feed")(function* (text: string, limit: number) {
    const link = yield* classify(text)
    switch (link.kind) {
      case "upload":
      case "social":
        return yield* notAFeed()
      case "apple":
        return yield* listed(yield* apple.feedOf(link.showId, link.storefront), limit)
      case "page":
        return link.app === "youtube"
          ? yield* channel(link, limit)
          : yield* listed(yield* pages.feed(link), limit)
      default:
        return yield* listed(yield* links.feedFrom(addressOf(link)), limit)
    }
  })

  const readFeed = (document: Uint8Array, limit: number) => readFeedDocument(document, limit, settings)

  return SourceResolver.of({ resolve, feed, readFeed, captions: captionFiles.read })
})

/** Links of the real web: files, feeds, Apple, pages and clips. */
export const layer = (
  options: ResolverOptions = {},
): Layer.Layer<SourceResolver, never, Fetcher | SocialVideo> => Layer.scoped(SourceResolver, make(options))
