import * as Either from "effect/Either"
import { readAppleLink } from "./apple.js"
import type { Cidr } from "./Cidr.js"
import { stripCredentials } from "./credentials.js"
import { isObjectStore, kindOfPath } from "./extensions.js"
import { type Link, LinkRefused, type RefusedReason } from "./Link.js"
import { addressIn } from "./pasted.js"
import { isClosedService, readPodcastPage } from "./podcastPages.js"
import { canonicalPost, nameOfHost } from "./social.js"
import { parseUploadRef } from "./uploadRef.js"
import { readWebAddress, type WebAddress } from "./webAddress.js"
import { readYoutube } from "./youtube.js"

/**
 * What a pasted text is, without any network. Forgives what comes along when people paste: blanks, brackets, quotes,
 * a sentence around the link, a missing scheme. Literal private addresses are refused unless `allow` has them;
 * names are only judged when they are looked up.
 */
export const classifyLink = (
  text: string,
  options: { readonly allow?: ReadonlyArray<Cidr> } = {},
): Either.Either<Link, LinkRefused> =>
  Either.flatMap(addressIn(text), (address) => {
    const upload = parseUploadRef(address)
    if (upload !== undefined) {
      return Either.right({
        kind: "upload",
        mediaRef: address,
        account: upload.account,
        extension: upload.extension,
      })
    }
    return Either.flatMap(readWebAddress(address, options.allow ?? []), (web) => {
      const link = classifyWebAddress(web)
      return hasLogin(web.url) && Either.isRight(link) && !mayHaveLogin(link.right)
        ? refused("credentials")
        : link
    })
  })

const classifyWebAddress = ({ url, host, isFeed }: WebAddress): Either.Either<Link, LinkRefused> => {
  const apple = readAppleLink(url, host)
  if (apple !== undefined) return apple
  if (isClosedService(host)) return refused("no_public_audio")
  const site = nameOfHost(host)
  if (site !== undefined) {
    const segments = url.pathname.split("/").filter((segment) => segment !== "")
    const youtube =
      site === "youtube" ? readYoutube(url, host.replace(/^(?:www|m)\./, ""), segments) : undefined
    if (youtube !== undefined) return Either.right(youtube)
    const post = canonicalPost(url, segments, host)
    if (post !== undefined) return Either.right({ kind: "social", url: post, site })
    return refused("not_a_post")
  }
  const page = readPodcastPage(url, host)
  if (page !== undefined) return Either.right(page)
  const path = kindOfPath(url.pathname)
  if (path.kind === "stream") return refused("live_stream")
  if (isFeed || path.kind === "feed") return Either.right({ kind: "feed", ...stripCredentials(url.href) })
  if (path.kind === "media") return Either.right({ kind: "media", url: url.href, extension: path.extension })
  return isObjectStore(host)
    ? Either.right({ kind: "blob", url: url.href })
    : Either.right({ kind: "web", ...stripCredentials(url.href) })
}

const hasLogin = (url: URL) => url.username !== "" || url.password !== ""

const mayHaveLogin = (link: Link) => link.kind === "feed" || link.kind === "web"

const refused = (reason: RefusedReason) => Either.left(new LinkRefused({ reason }))
