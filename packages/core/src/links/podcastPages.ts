import { isOf } from "./extensions.js"
import type { Link, PodcastApp } from "./Link.js"

const APP_HOSTS: ReadonlyArray<readonly [domain: string, app: PodcastApp]> = [
  ["overcast.fm", "overcast"],
  ["pca.st", "pocketcasts"],
  ["pocketcasts.com", "pocketcasts"],
  ["castro.fm", "castro"],
  ["pod.link", "podlink"],
  ["podcastindex.org", "podcastindex"],
]

/** Services whose audio is for their own players only. */
const CLOSED_HOSTS = [
  "open.spotify.com",
  "play.spotify.com",
  "spotify.link",
  "spotify.app.link",
  "spoti.fi",
  "deezer.com",
]
const CLOSED_ANYWHERE = /^(?:music\.amazon|(?:www\.)?audible)\.[a-z]{2,3}(?:\.[a-z]{2})?$/

/** A page of a podcast app, with the iTunes id of the show where the address has it. Undefined for other hosts. */
export const readPodcastPage = (url: URL, host: string): Link | undefined => {
  const app = APP_HOSTS.find(([domain]) => isOf(host, domain))?.[1]
  // The feeds and files that such a service keeps under the same domain are no pages.
  if (app === undefined || /\.(?:xml|rss|json|mp3|m4a)$/i.test(url.pathname)) return undefined
  const plain = new URL(url)
  plain.protocol = "https:"
  plain.hash = ""
  return { kind: "page", app, url: plain.href, appleId: appleIdOf(app, url.pathname), feedUrl: null }
}

const appleIdOf = (app: PodcastApp, pathname: string): string | null =>
  (app === "podlink" ? /^\/(\d{5,20})(?:[/.]|$)/ : /^\/itunes\/?(\d{5,20})(?:\/|$)/i).exec(pathname)?.[1] ??
  null

/** Whether nobody outside can fetch audio from this host. */
export const isClosedService = (host: string): boolean =>
  CLOSED_HOSTS.some((domain) => isOf(host, domain)) || CLOSED_ANYWHERE.test(host)
