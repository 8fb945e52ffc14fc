import * as Either from "effect/Either"
import { type Link, LinkRefused } from "./Link.js"

const HOSTS: ReadonlySet<string> = new Set([
  "podcasts.apple.com",
  "itunes.apple.com",
  "embed.podcasts.apple.com",
  "embed.itunes.apple.com",
  "geo.itunes.apple.com",
  "geo.podcasts.apple.com",
])

/** The show, and the episode if one is named, of any documented form of an Apple podcast link. Undefined for other hosts. */
export const readAppleLink = (url: URL, host: string): Either.Either<Link, LinkRefused> | undefined => {
  if (!HOSTS.has(host)) return undefined
  const segments = url.pathname.split("/").filter((segment) => segment !== "")
  const showId = showIdOf(url, segments)
  if (showId === undefined) return Either.left(new LinkRefused({ reason: "not_a_show" }))
  const episodeId = /^\d{1,20}/.exec(url.searchParams.get("i") ?? "")?.[0] ?? null
  const storefront = /^[a-z]{2}$/i.test(segments[0] ?? "") ? (segments[0] ?? "").toLowerCase() : null
  const canonical = new URL("https://podcasts.apple.com")
  canonical.pathname = `${storefront === null ? "" : `/${storefront}`}/podcast/id${showId}`
  if (episodeId !== null) canonical.searchParams.set("i", episodeId)
  return Either.right({ kind: "apple", url: canonical.href, showId, episodeId, storefront })
}

const showIdOf = (url: URL, segments: ReadonlyArray<string>): string | undefined => {
  const isShow = segments.some((segment) => segment.toLowerCase() === "podcast")
  // The slug is free text and may look like an id itself; the id is always the last.
  const last = segments.findLast((segment) => /^id\d{1,20}$/i.test(segment))
  if (isShow && last !== undefined) return last.slice(2)
  const isLegacyView = /\/viewpodcast$/i.test(url.pathname)
  return isLegacyView ? /^\d{1,20}$/.exec(url.searchParams.get("id") ?? "")?.[0] : undefined
}
