import * as Either from "effect/Either"
import { kindOfPath } from "./extensions.js"
import { LinkRefused } from "./Link.js"

const LENGTH_AT_MOST = 8192
/** Around the link there may be a sentence or two, not a book. */
const PASTED_LENGTH_AT_MOST = 4 * LENGTH_AT_MOST

/** What stays unseen when it is copied along: controls, zero-width and direction marks. */
const INVISIBLE =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const FULL_WIDTH = /[\uff01-\uff5e]/
const OPENING = "<([{\"'`*“”„‘’‚«‹「『＜"
const TRAILING = ".,;:!?\"'`*“”‘’»›」』＞…>|。，、；：！？"
const CLOSING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" }
const HTML_LINK = /^<[a-z]+\s[^>]*?\b(?:href|src)\s*=\s*["']?([^"'\s>]+)/i
const WEB_ADDRESS = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"“”]+/gi
const BARE_ADDRESS = /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?\/\S*$/i

/** The one address in what somebody pasted, without what came along with it. Any text gets an answer, in linear time. */
export const addressIn = (pasted: string): Either.Either<string, LinkRefused> => {
  if (pasted.length > PASTED_LENGTH_AT_MOST) return Either.left(new LinkRefused({ reason: "too_long" }))
  const text = inAscii(unwrapped(pasted.replace(INVISIBLE, "").trim()))
  if (text === "") return Either.left(new LinkRefused({ reason: "empty" }))
  return Either.flatMap(/\s/.test(text) ? oneAddressOf(text) : Either.right(text), (address) => {
    const plain = withoutEdges(address).replaceAll("&amp;", "&")
    if (plain === "") return Either.left(new LinkRefused({ reason: "plain_words" }))
    return plain.length > LENGTH_AT_MOST
      ? Either.left(new LinkRefused({ reason: "too_long" }))
      : Either.right(plain)
  })
}

const unwrapped = (text: string): string => markdownTarget(text) ?? HTML_LINK.exec(text)?.[1] ?? text

/** The target of `[text](target "title")` when the whole text is one such link. */
const markdownTarget = (text: string): string | undefined => {
  const target = text.lastIndexOf("](")
  if (target < 0 || !/^!?\[/.test(text) || !text.endsWith(")")) return undefined
  return text
    .slice(target + 2, -1)
    .trim()
    .split(/\s/, 1)[0]
}

/** Texts that were typed with an Asian keyboard may be full-width from the first letter on. */
const inAscii = (text: string): string =>
  FULL_WIDTH.test(text.charAt(0))
    ? text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    : text

/** Apps share "Title https://...", and people write a sentence around a link. Two different links are not guessed about. */
const oneAddressOf = (text: string): Either.Either<string, LinkRefused> => {
  const addresses = text.match(WEB_ADDRESS) ?? text.split(/\s+/).filter((word) => BARE_ADDRESS.test(word))
  const [first, ...others] = new Set(addresses.map(withoutEdges))
  if (others.length > 0) return Either.left(new LinkRefused({ reason: "several_links" }))
  if (first === undefined) {
    return Either.left(new LinkRefused({ reason: isPathWithBlanks(text) ? "local_file" : "plain_words" }))
  }
  return Either.right(text.startsWith(first) && isFileWithBlanks(text, first) ? text : first)
}

/** `https://host/my file.mp3`: the blanks belong to the address. */
const isFileWithBlanks = (text: string, first: string) =>
  !text.includes("\n") && kindOfPath(text).kind === "media" && kindOfPath(first).kind === "unknown"

const isPathWithBlanks = (text: string) =>
  /^(?:[a-z]:[\\/]|\\\\|[~.]{0,2}\/)/i.test(text) ||
  (!text.includes("\n") && kindOfPath(text).kind === "media")

/** Without brackets, quotes and emphasis before it, and without the punctuation of a sentence after it. */
const withoutEdges = (text: string): string => {
  let start = 0
  // A bracket that opens an IPv6 host stays.
  while (
    start < text.length &&
    OPENING.includes(text.charAt(start)) &&
    !/^\[[0-9a-f]*:/i.test(text.slice(start, start + 6))
  ) {
    start++
  }
  let end = text.length
  const surplus = new Map(
    Object.entries(CLOSING).map(([close, open]) => [
      close,
      count(text, close, start) - count(text, open, start),
    ]),
  )
  for (; end > start; end--) {
    const last = text.charAt(end - 1)
    const more = surplus.get(last)
    if (more === undefined ? !TRAILING.includes(last) : more <= 0) break
    if (more !== undefined) surplus.set(last, more - 1)
  }
  return text.slice(start, end)
}

const count = (text: string, character: string, from: number): number => {
  let found = 0
  for (let at = text.indexOf(character, from); at >= 0; at = text.indexOf(character, at + 1)) found++
  return found
}
