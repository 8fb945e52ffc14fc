// @effect-diagnostics strictEffectProvide:off -- loaded for addresses alone: this is the one place that composes for them
/** Feeds at addresses. Everything goes through the guarded door. */
import { type Cidr, stripCredentials } from "@earmark/core/links"
import {
  downloadFeed as download,
  FetcherNode,
  type ListingWanted,
  listEpisodes,
  SocialVideo,
  SourceResolverWeb,
} from "@earmark/media"
import { service } from "@earmark/runtime/settings"
import {
  type Fetcher,
  ServiceConfig,
  type SourceRefused,
  type SourceResolver,
  TimeLimit,
} from "@earmark/service"
import { Duration, Effect, Layer } from "effect"
import { failed } from "../CommandFailed.js"
import { settingOf } from "../settingOf.js"
import { sentenceOf } from "../transcribe/sentences.js"

/** No feed is a post of a social site, so the program that reads those is not needed. */
const noSocial = Layer.succeed(SocialVideo, {
  missing: Effect.succeed(null),
  describe: () => Effect.dieMessage("A feed is no post"),
  download: () => Effect.dieMessage("A feed is no post"),
})

/** Reads what is behind an address, in the time that a person waits. */
const overWeb = Effect.fnUntraced(function* <A>(
  source: string,
  work: (allowed: {
    readonly allow: ReadonlyArray<Cidr>
  }) => Effect.Effect<A, SourceRefused, Fetcher | SourceResolver>,
) {
  const allow = yield* settingOf(service.egressAllow)
  const web = SourceResolverWeb.layer({ allow }).pipe(
    Layer.provide(noSocial),
    Layer.provideMerge(FetcherNode.layer({ allow })),
  )
  const { requestWait } = ServiceConfig.defaults
  const { url } = stripCredentials(source)
  const tooSlow = () =>
    failed(
      `${url}: the server did not answer in full within ${Duration.toSeconds(requestWait)} seconds. Try again later, or download the feed and give the file.`,
    )
  return yield* work({ allow }).pipe(
    Effect.mapError((error) => failed(`${url}: ${sentenceOf(error)}`)),
    Effect.provide(web),
    Effect.disconnect,
    TimeLimit.fail({ duration: requestWait, onTimeout: tooSlow }),
  )
})

/** The episodes of the feed behind an address: of the feed itself, of a page that names it, or of its page in a directory. */
export const fromWeb = (source: string, wanted: ListingWanted) =>
  overWeb(source, (allowed) => listEpisodes(source, wanted, allowed))

/** The document at the address of a feed, as it is. */
export const downloadFeed = (source: string) => overWeb(source, (allowed) => download(source, allowed))
