import * as Either from "effect/Either"
import type { Cidr } from "./Cidr.js"
import { kindOfPath } from "./extensions.js"
import { parseIpAddress } from "./ipAddress.js"
import { LinkRefused, type RefusedReason } from "./Link.js"
import { isAllowedAddress, isAllowedPort } from "./publicAddress.js"

/** A web address that was read from text, and whether its scheme said that it is a feed. */
export interface WebAddress {
  readonly url: URL
  /** Lower case, without a dot at its end. */
  readonly host: string
  readonly isFeed: boolean
}

/** `http`, `https` and their usual misspellings, with the colon or the slashes missing. */
const WEB_SCHEME = /^h{0,2}t{1,3}p(s?)(?:[:;][\\/]{0,4}|[\\/]{2,})(?=[^\\/])/i
/** Feed readers and podcast players made these schemes; the feed itself is on the web. */
const FEED_SCHEME = /^(?:feed|itpc|pcast|podcast):[\\/]{0,2}/i
const APPLE_SCHEME = /^(?:podcasts|itms|itmss|itms-podcasts?|itms-apps):[\\/]{0,2}/i
const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const HOST_AND_PORT = /^[^\s\\/?#@:]+:\d{1,5}(?:[\\/?#]|$)/
const LOGIN_AND_HOST = /^[^\s\\/?#@:]+:[^\s\\/?#@]*@[^\s\\/?#@.]+\./
const EMAIL = /^[^\s\\/?#@:]+@[^\s\\/?#@:.]+\.[^\s\\/?#@:]+$/
const LOCAL_PATH = /^(?:[a-z]:[\\/]|\\\\|~[\\/])/i
const PATH = /^(?:[\\/]|\.{1,2}[\\/])/
/** A host has a dot in it (in any of the forms of a dot) and no dot at an edge; IPv6 has brackets. */
const HOST =
  /^(?:\[[0-9a-f:.]+\]|[^\s.。．｡\\/?#@:]+(?:[.。．｡][^\s.。．｡\\/?#@:]+)+)\.?(?::\d{1,5})?(?:[\\/?#]|$)/i

const REFUSED_SCHEMES: Readonly<Record<string, RefusedReason>> = {
  http: "malformed",
  https: "malformed",
  file: "local_file",
  content: "local_file",
  blob: "browser_only",
  data: "browser_only",
  about: "browser_only",
  javascript: "browser_only",
  mailto: "email_address",
  spotify: "no_public_audio",
  rtmp: "live_stream",
  rtsp: "live_stream",
  mms: "live_stream",
  icy: "live_stream",
}

/** Reads a text without blanks as a web address, forgiving a missing or misspelt scheme. */
export const readWebAddress = (
  text: string,
  allow: ReadonlyArray<Cidr>,
): Either.Either<WebAddress, LinkRefused> =>
  Either.flatMap(withScheme(text), ({ address, isFeed }) => {
    if (!URL.canParse(address)) return refused("malformed")
    const url = new URL(address)
    const host = url.hostname.endsWith(".") ? url.hostname.slice(0, -1) : url.hostname
    if (host === "" || host.includes("..")) return refused("malformed")
    if (url.port !== "" && !isAllowedPort(Number(url.port))) return refused("blocked_port")
    if (parseIpAddress(host) !== undefined && !isAllowedAddress(host, allow))
      return refused("blocked_address")
    return Either.right({ url, host, isFeed })
  })

type Schemed = Either.Either<{ readonly address: string; readonly isFeed: boolean }, LinkRefused>

const withScheme = (text: string): Schemed => {
  const feed = FEED_SCHEME.exec(text)
  if (feed !== null) {
    const rest = text.slice(feed[0].length)
    const web = withoutDoubled(rest)
    // These schemes stand for http; whoever has https sends the reader on.
    if (web === undefined && !isHostFirst(rest)) return refused("malformed")
    return Either.right({ address: web ?? `http://${rest}`, isFeed: true })
  }
  const apple = APPLE_SCHEME.exec(text)
  if (apple !== null) return onHttps(text.slice(apple[0].length))
  const web = withoutDoubled(text)
  if (web !== undefined) return Either.right({ address: web, isFeed: false })
  return withoutWebScheme(text)
}

/** The text with its web scheme written properly and once (`https://https://...`), or undefined when it has none. */
const withoutDoubled = (text: string): string | undefined => {
  let scheme: string | undefined
  let rest = text
  for (let found = WEB_SCHEME.exec(rest); found !== null; found = WEB_SCHEME.exec(rest)) {
    scheme = found[1] === "" ? "http://" : "https://"
    rest = rest.slice(found[0].length)
  }
  return scheme === undefined ? undefined : scheme + rest
}

const onHttps = (rest: string): Schemed =>
  Either.right({ address: withoutDoubled(rest) ?? `https://${rest}`, isFeed: false })

const withoutWebScheme = (text: string): Schemed => {
  if (text.startsWith("//")) return onHttps(text.slice(2))
  if (LOCAL_PATH.test(text)) return refused("local_file")
  if (PATH.test(text)) return refused(kindOfPath(text).kind === "media" ? "local_file" : "relative")
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase()
  const known = scheme === undefined ? undefined : REFUSED_SCHEMES[scheme]
  if (known !== undefined) return refused(known)
  if (EMAIL.test(text)) return refused("email_address")
  if (isBareFileName(text)) return refused("local_file")
  // Without a scheme, `3.5` is a number and not the address 3.0.0.5.
  if (/^[\d.]+$/.test(text) && parseIpAddress(text) === undefined) return refused("plain_words")
  if (isHostFirst(text)) {
    return Either.right({ address: `https://${text}`, isFeed: false })
  }
  if (scheme !== undefined) return refused("scheme")
  return refused(/[\\/?#]/.test(text) ? "relative" : "plain_words")
}

const isHostFirst = (text: string) => HOST.test(text) || LOGIN_AND_HOST.test(text) || HOST_AND_PORT.test(text)

/** `episode.mp3` looks like a host, and is the name of somebody's file. */
const isBareFileName = (text: string) => !/[\\/?#]/.test(text) && kindOfPath(text).kind === "media"

const refused = (reason: RefusedReason) => Either.left(new LinkRefused({ reason }))
