import { createHash } from "node:crypto"
import type { Feed } from "@earmark/core/feeds"
import { readPage, type Sniffed, type WebPage } from "@earmark/core/links"
import { type FetchedAnswer, type Fetcher, type SourceRefused, TimeLimit } from "@earmark/service"
import { Clock, Effect, Fiber, type Scope } from "effect"
import { openBody, readBeginning } from "./bodies.js"
import { makeFeedMemory, type RememberedFeed } from "./FeedMemory.js"
import { charsetOf, pageText, titleOfAnswer } from "./pageTexts.js"
import { PAGE_BYTES, REDIRECTS, type ResolverSettings } from "./ResolverOptions.js"
import { readFeedBody } from "./readFeedBody.js"
import { refusal, refusedFeed, refusedFetch, refusedStatus } from "./refusals.js"

export interface Address {
  readonly url: string
  /** The value of an Authorization header. */
  readonly authorization: string | null
}

/** What was found at an address. */
export type Visit =
  | { readonly type: "feed"; readonly feed: Feed; readonly feedUrl: string }
  | { readonly type: "page"; readonly page: WebPage; readonly url: string }
  | { readonly type: "media"; readonly title: string | null; readonly url: string }
  /** Neither of these: `bytes` say what, `contentType` what the server calls it. */
  | {
      readonly type: "other"
      readonly sniffed: Sniffed
      readonly contentType: string
      readonly title: string | null
    }

/** A visit, and how many wait for what it finds. */
interface UnderWay {
  readonly fiber: Fiber.RuntimeFiber<Visit, SourceRefused>
  waiting: number
}

const keyOf = ({ url, authorization }: Address): string =>
  authorization === null
    ? url
    : `${url} ${createHash("sha256").update(authorization).digest("base64url").slice(0, 22)}`

const ACCEPT =
  "application/rss+xml, application/atom+xml, application/feed+json, text/html;q=0.8, audio/*, video/*, */*;q=0.5"

/**
 * Looks at addresses. Who asks for the same one at the same time gets the same answer, a feed is remembered for a while and then
 * only asked whether it changed.
 */
export const makeVisits = (fetcher: Fetcher["Type"], scope: Scope.Scope, settings: ResolverSettings) => {
  const feeds = makeFeedMemory()
  const underWay = new Map<string, UnderWay>()

  const remembered = ({ feed, feedUrl }: RememberedFeed): Visit => ({ type: "feed", feed, feedUrl })

  const read = Effect.fnUntraced(function* (address: Address, key: string, answer: FetchedAnswer) {
    const body = yield* openBody(answer, { unpackAtMost: settings.feedBytes })
    const contentType = answer.headers["content-type"] ?? ""
    const { kind } = body.kind
    if (kind === "feed") {
      const place = { baseUrl: answer.url, charset: charsetOf(contentType) }
      const feed = yield* readFeedBody(body, place, settings).pipe(
        Effect.catchTag("FeedInvalid", (invalid) => Effect.fail(refusedFeed(invalid))),
      )
      const made: RememberedFeed = {
        feed,
        feedUrl: answer.movedTo ?? address.url,
        etag: answer.headers.etag ?? null,
        lastModified: answer.headers["last-modified"] ?? null,
        checkedAt: yield* Clock.currentTimeMillis,
      }
      feeds.put(key, made)
      return remembered(made)
    }
    if (kind === "page") {
      const html = pageText(yield* readBeginning(body, PAGE_BYTES), contentType)
      const visit: Visit = { type: "page", page: readPage(html, answer.url), url: answer.url }
      return visit
    }
    const title = titleOfAnswer(answer.url, answer.headers["content-disposition"])
    const visit: Visit =
      kind === "media"
        ? { type: "media", title, url: answer.url }
        : { type: "other", sniffed: body.kind, contentType, title }
    return visit
  })

  const ask = Effect.fnUntraced(function* (address: Address, key: string) {
    const known = feeds.get(key)
    const now = yield* Clock.currentTimeMillis
    if (known !== undefined && now - known.checkedAt < settings.feedFreshFor) return remembered(known)
    const answer = yield* fetcher.fetch({
      url: address.url,
      headers: {
        accept: ACCEPT,
        ...(address.authorization !== null && { authorization: address.authorization }),
        ...(known?.etag != null && { "if-none-match": known.etag }),
        ...(known?.lastModified != null && { "if-modified-since": known.lastModified }),
      },
      deadline: settings.deadline,
      // What is read is counted where it is read: of media only the first bytes are.
      maxBytes: Number.MAX_SAFE_INTEGER,
      redirects: REDIRECTS,
    })
    if (answer.status === 304 && known !== undefined) {
      feeds.put(key, { ...known, checkedAt: now })
      return remembered(known)
    }
    if (answer.status < 200 || answer.status > 299) return yield* refusedStatus(answer.url, answer.status)
    return yield* read(address, key, answer)
  })

  const tooSlow = (address: Address) => () =>
    refusal(
      "unresolvable_link",
      "download_timeout",
      `${new URL(address.url).hostname} was too slow; try again later.`,
      true,
    )

  const start = (address: Address, key: string): Effect.Effect<Visit, SourceRefused> =>
    Effect.scoped(ask(address, key)).pipe(
      Effect.catchTag("FetchFailed", (failed) => Effect.fail(refusedFetch(failed))),
      TimeLimit.fail({ duration: settings.deadline, onTimeout: tooSlow(address) }),
    )

  const shared = Effect.fnUntraced(function* (address: Address, key: string) {
    const found = underWay.get(key)
    if (found !== undefined) {
      found.waiting += 1
      return found
    }
    const fiber = yield* Effect.forkIn(Effect.interruptible(start(address, key)), scope)
    const begun: UnderWay = { fiber, waiting: 1 }
    underWay.set(key, begun)
    fiber.addObserver(() => forget(key, begun))
    return begun
  })

  const forget = (key: string, visiting: UnderWay): void => {
    if (underWay.get(key) === visiting) underWay.delete(key)
  }

  const leave = (key: string, visiting: UnderWay) =>
    Effect.suspend(() => {
      visiting.waiting -= 1
      if (visiting.waiting > 0) return Effect.void
      forget(key, visiting)
      return Fiber.interruptFork(visiting.fiber)
    })

  /** Nobody's going away ends what others wait for; when the last one goes, it ends. */
  const visit = (address: Address): Effect.Effect<Visit, SourceRefused> =>
    Effect.suspend(() => {
      const key = keyOf(address)
      return Effect.acquireUseRelease(
        shared(address, key),
        ({ fiber }) => Fiber.join(fiber),
        (visiting) => leave(key, visiting),
      )
    })

  return { visit }
}
