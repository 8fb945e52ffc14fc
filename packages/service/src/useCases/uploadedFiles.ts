/** Files that an account has uploaded: the bytes of a recording, or the document of a feed. */
import type { AccountId } from "@earmark/core/jobs"
import { parseUploadRef } from "@earmark/core/links"
import { isFeedType, MediaRefUnknown, parseMediaRef } from "@earmark/core/wire"
import { Effect, Stream } from "effect"
import { type ResolvedFeed, SourceRefused, SourceResolver } from "../ports/SourceResolver.js"
import { ObjectStore, type StoredUpload, UploadStore } from "../ports/Uploads.js"
import { inTime } from "./requestWait.js"
import { ServiceConfig } from "./ServiceConfig.js"

/** More of a feed is not read. */
const LARGEST_FEED = 32 * 1024 * 1024

const noFeed = () =>
  new SourceRefused({
    code: "unresolvable_link",
    failure: "source_unresolvable",
    detail: "This upload is a recording and no feed; upload the feed as application/rss+xml.",
    later: false,
  })

/** MD5, that of the parts of an object with their number, or SHA-256. Whatever else a store says may be said of other bytes, too. */
const DIGEST = /^(?!0+(?:-|$))(?:[0-9a-f]{32}(?:-[0-9]+)?|[0-9a-f]{64})$/

/** What a recording is known by: its bytes where the store tells of them, else the reference. */
export const identityOf = ({ mediaRef, etag, bytes }: StoredUpload): string =>
  etag !== null && DIGEST.test(etag) ? `content:${etag}:${bytes}` : mediaRef

/** An episode is asked for again by the reference of its feed, where the feed does not say where it lives. */
const named = (feed: ResolvedFeed, mediaRef: string): ResolvedFeed => {
  if (feed.feedUrl !== "") return feed
  const episodes = feed.episodes.map((episode) => ({
    ...episode,
    shown: { ...episode.shown, feedUrl: mediaRef },
  }))
  return { ...feed, feedUrl: mediaRef, episodes }
}

/** Finds uploads for their own account only, and reads the feeds among them. */
export const makeUploadedFiles = Effect.gen(function* () {
  const resolver = yield* SourceResolver
  const config = yield* ServiceConfig
  const uploads = yield* UploadStore
  const objects = yield* ObjectStore

  /** The bytes may be there though nobody wrote it down: the client put them there itself, or the process ended in between. */
  const arrived = Effect.fnUntraced(function* (announced: StoredUpload) {
    const { mediaRef, bytes, contentType } = announced
    const object = yield* objects.head(mediaRef)
    if (object === null || object.bytes !== bytes || object.contentType !== contentType) {
      return yield* new MediaRefUnknown({ isAwaited: true })
    }
    yield* uploads.markStored(mediaRef, object.etag)
    return { ...announced, etag: object.etag }
  })

  const find = Effect.fnUntraced(function* (account: AccountId, reference: string) {
    const mediaRef = yield* parseMediaRef(reference, account)
    const stored = yield* uploads.get(account, mediaRef)
    return stored.state === "pending" ? yield* arrived(stored) : stored
  })

  const readFeed = Effect.fnUntraced(function* ({ mediaRef, contentType }: StoredUpload, limit: number) {
    if (!isFeedType(contentType)) return yield* noFeed()
    // One byte more than is read, so that what is too large is seen to be.
    const pieces = yield* Stream.runCollect(objects.read(mediaRef, { to: LARGEST_FEED + 1 })).pipe(
      Effect.catchTag("ObjectMissing", () => Effect.fail(new MediaRefUnknown())),
    )
    return named(yield* resolver.readFeed(Buffer.concat([...pieces]), limit), mediaRef)
  })

  /** The newest `limit` episodes of a feed by its link, or of one that the account has uploaded. */
  const feed = Effect.fnUntraced(function* (account: AccountId, link: string, limit: number) {
    return parseUploadRef(link) === undefined
      ? yield* resolver.feed(link, limit).pipe(inTime(link, config))
      : yield* readFeed(yield* find(account, link), limit)
  })

  return { find, readFeed, feed }
})
