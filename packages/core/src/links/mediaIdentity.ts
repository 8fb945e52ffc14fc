/** Addresses longer than this are nobody's enclosure. */
const LENGTH_AT_MOST = 8192

const ID = "(?:[^/.?#]+/)?"

/** Services that count downloads by standing before the host of the file. */
const TRACKING_PREFIXES = [
  "(?:dts|www)\\.podtrac\\.com/(?:pts/)?redirect\\.[0-9a-z]{3,4}/",
  `play\\.podtrac\\.com/${ID}`,
  `(?:www\\.)?chtbl\\.com/track/${ID}`,
  `(?:www\\.)?chrt\\.fm/track/${ID}`,
  "media\\.blubrry\\.com/(?:[^/.?#]+/){0,2}",
  `mgln\\.ai/e/${ID}`,
  "pdst\\.fm/e/",
  "pdcn\\.co/e/",
  "flex\\.acast\\.com/",
  `[0-9a-z]\\.gum\\.fm/${ID}`,
  "pscrb\\.fm/rss/p/",
  "(?:www\\.)?op3\\.dev/e(?:,[^/?#]*)?/",
  "verifi\\.podscribe\\.com/rss/p/",
  "prfx\\.byspotify\\.com/e/",
  `claritaspod\\.com/measure/${ID}`,
  `(?:www\\.)?clrtpod\\.com/m/${ID}`,
  `arttrk\\.com/p/${ID}`,
  `tracking\\.swap\\.fm/track/${ID}`,
  `pfx\\.vpixl\\.com/${ID}`,
]

const TRACKING_PREFIX = new RegExp(`(?:${TRACKING_PREFIXES.join("|")})`, "iy")
/** Behind the slash that a prefix ends with. */
const TARGET = /(?<=\/)(https?:\/\/)?[^/?#@\s]+\.[^/?#@\s.]+\//iy
const AUTHORITY = /[^/?#\\]+/y
const WEB_ADDRESS = /^(https?):\/\/([^/?#\\]*)(.*)/is

const TRACKING_PARAMETER =
  /^(?:utm_[^=]*|fbclid|gclid|gbraid|wbraid|dclid|msclkid|twclid|yclid|igshid|mc_cid|mc_eid|mkt_tok|_hsenc|_hsmi|_ga|_gl|vero_id|oly_anon_id|oly_enc_id)(?:=|$)/i

/** The host, and a login, as they stand in an address of this scheme. */
type HostOf = (scheme: string, authority: string) => string

/** Where the prefix at a place of the address ends; -1 where there is none. */
const prefixEnd = (address: string, at: number, scheme: string, hostOf: HostOf): number => {
  TRACKING_PREFIX.lastIndex = at
  if (TRACKING_PREFIX.test(address)) return TRACKING_PREFIX.lastIndex
  AUTHORITY.lastIndex = at
  const [authority = ""] = AUTHORITY.exec(address) ?? []
  const host = hostOf(scheme, authority)
  if (host === authority) return -1
  const rest = at + authority.length
  TRACKING_PREFIX.lastIndex = 0
  return TRACKING_PREFIX.test(host + address.slice(rest))
    ? rest + TRACKING_PREFIX.lastIndex - host.length
    : -1
}

const withoutPrefixes = (address: string, hostOf: HostOf): string => {
  if (address.length > LENGTH_AT_MOST) return address
  const start = address.indexOf("://") + 3
  if (!WEB_ADDRESS.test(address)) return address
  let scheme = address.slice(0, start)
  let at = start
  for (;;) {
    const target = prefixEnd(address, at, scheme, hostOf)
    if (target < 0) break
    TARGET.lastIndex = target
    const nested = TARGET.exec(address)
    if (nested === null) break
    if (nested[1] !== undefined) scheme = nested[1]
    at = target + (nested[1]?.length ?? 0)
  }
  return at === start ? address : scheme + address.slice(at)
}

/** The address without the services that count downloads before it, however many; otherwise byte for byte. */
export const stripTracking = (address: string): string =>
  withoutPrefixes(address, (_, authority) => authority)

/**
 * One text for all the addresses of one file: no tracking prefixes, no tracking parameters, no fragment, scheme and
 * host in lower case, no default port. Path and the other parameters stay byte for byte: some hosts keep an encoded
 * address in their path. A login stays as well, for it may decide what is behind the address: store a hash of this.
 */
export const mediaIdentity = (address: string): string => {
  if (address.length > LENGTH_AT_MOST) return address
  // A prefix may be written in other letters than its host is.
  return withPlainHost(withoutPrefixes(address, plainHost))
}

/**
 * The address as it is fetched, in one spelling: like `mediaIdentity`, with the services that count downloads left in place. What they
 * send is theirs to choose, whatever address stands behind them.
 */
export const fetchedAddress = (address: string): string =>
  address.length > LENGTH_AT_MOST ? address : withPlainHost(address)

/** Whether two addresses lead to the same file, over http or https. */
export const sameMedia = (left: string, right: string): boolean =>
  left === right || withoutScheme(mediaIdentity(left)) === withoutScheme(mediaIdentity(right))

/**
 * Host and path alone: what is left to compare when two sources add different parameters to the address of one file.
 * Only good among the episodes of one feed, and only when one of them fits.
 */
export const looseMediaIdentity = (address: string): string =>
  withoutScheme(mediaIdentity(address)).replace(/\?.*/s, "")

const withoutScheme = (address: string) => address.replace(/^https?:\/\//, "")

const withPlainHost = (address: string): string => {
  const [, scheme, authority, rest] = WEB_ADDRESS.exec(address) ?? []
  if (scheme === undefined || authority === undefined || rest === undefined) return address
  const plainScheme = `${scheme.toLowerCase()}://`
  return `${plainScheme}${plainHost(plainScheme, authority)}${withoutTrackingParameters(rest)}`
}

const plainHost: HostOf = (scheme, authority) => {
  const afterLogin = authority.lastIndexOf("@") + 1
  // Some capitals alone make an address invalid.
  const host = authority.slice(afterLogin).toLowerCase()
  const origin = scheme + host
  return authority.slice(0, afterLogin) + (URL.canParse(origin) ? new URL(origin).host : host)
}

const withoutTrackingParameters = (rest: string): string => {
  const fragment = rest.indexOf("#")
  const sent = fragment < 0 ? rest : rest.slice(0, fragment)
  const question = sent.indexOf("?")
  const path = question < 0 ? sent : sent.slice(0, question)
  const rooted = path === "" ? "/" : path
  if (question < 0) return rooted
  const parameters = sent.slice(question + 1).split("&")
  const kept = parameters.filter((parameter) => !TRACKING_PARAMETER.test(parameter))
  return kept.length === 0 ? rooted : `${rooted}?${kept.join("&")}`
}
