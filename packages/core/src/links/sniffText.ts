import type { TextKind } from "./Sniffed.js"

/** A control character that no text has; the escape of terminals and the form feed pass. */
const BINARY = /[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]/
const SRT = /^(?:\d+[ \t]*\r?\n)?\d{1,3}:\d{2}:\d{2}[,.]\d{1,3}[ \t]*-->/
const CAPTION_JSON = /^\{[^{}[\]]{0,400}"(?:segments|events|wireMagic|cues|transcript)"/

/** By the name of the root, without its prefix, in lower case. */
const ROOTS: Readonly<Record<string, TextKind>> = {
  rss: { kind: "feed", format: "xml" },
  feed: { kind: "feed", format: "xml" },
  rdf: { kind: "feed", format: "xml" },
  channel: { kind: "feed", format: "xml" },
  html: { kind: "page" },
  head: { kind: "page" },
  body: { kind: "page" },
  tt: { kind: "captions", format: "ttml" },
  transcript: { kind: "captions", format: "ttml" },
  svg: { kind: "image", format: "svg" },
  opml: { kind: "document", format: "opml" },
  playlist: { kind: "playlist", format: "xml" },
  smil: { kind: "playlist", format: "xml" },
  asx: { kind: "playlist", format: "xml" },
  mpd: { kind: "playlist", format: "xml" },
}

/** What the bytes are when they are text, in UTF-8, UTF-16 or any encoding that keeps ASCII. Undefined for binary data. */
export const sniffText = (head: Buffer): TextKind | undefined => {
  const text = decoded(head)
  if (text === undefined || BINARY.test(text)) return undefined
  const start = text.replace(/^\s+/, "")
  if (start === "") return { kind: "text" }
  if (start.startsWith("<")) return markup(start)
  if (start.startsWith("{\\rtf")) return { kind: "document", format: "rtf" }
  if (start.startsWith("{")) {
    return CAPTION_JSON.test(start) ? { kind: "captions", format: "json" } : { kind: "feed", format: "json" }
  }
  if (/^WEBVTT(?=[\s]|$)/.test(start)) return { kind: "captions", format: "vtt" }
  if (SRT.test(start)) return { kind: "captions", format: "srt" }
  if (/^\[script info\]/i.test(start)) return { kind: "captions", format: "ass" }
  if (start.startsWith("#EXTM3U")) return { kind: "playlist", format: "m3u" }
  if (/^\[playlist\]/i.test(start)) return { kind: "playlist", format: "pls" }
  return { kind: "text" }
}

/** Undefined for what no feed may be in (UTF-32), and for a first byte that begins no text. */
const decoded = (head: Buffer): string | undefined => {
  const [a, b, c, d] = head
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff))
    return undefined
  if (a === 0xff && b === 0xfe) return head.subarray(2).toString("utf16le")
  if (a === 0xfe && b === 0xff) return bigEndian(head.subarray(2))
  if (a === 0x3c && b === 0 && c !== 0) return head.toString("utf16le")
  if (a === 0 && b === 0x3c && c === 0) return bigEndian(head)
  if (a === 0xef && b === 0xbb && c === 0xbf) return head.toString("latin1", 3)
  return a === 0xff ? undefined : head.toString("latin1")
}

const bigEndian = (bytes: Buffer): string =>
  Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
    .swap16()
    .toString("utf16le")

/** The first element decides; comments, declarations and a doctype before it do not. */
const markup = (start: string): TextKind => {
  let at = 0
  let isXml = false
  while (start[at] === "<") {
    const ends = skipped(start, at)
    if (ends === undefined) break
    if (ends.isPage) return { kind: "page" }
    isXml ||= ends.isXml
    at = ends.at
    while (at < start.length && /\s/.test(start.charAt(at))) at++
  }
  const root = /^<(?:[a-z][\w.-]{0,40}:)?([a-z][\w-]{0,40})/i
    .exec(start.slice(at, at + 100))?.[1]
    ?.toLowerCase()
  // A long comment or doctype may hide the root. XML that does not show it is most likely a feed.
  if (root === undefined) return isXml ? { kind: "feed", format: "xml" } : { kind: "page" }
  return ROOTS[root] ?? (isXml ? { kind: "feed", format: "xml" } : { kind: "page" })
}

interface Skipped {
  readonly at: number
  readonly isXml: boolean
  readonly isPage: boolean
}

const skipped = (text: string, at: number): Skipped | undefined => {
  const end = (close: string) => {
    const found = text.indexOf(close, at)
    return found < 0 ? text.length : found + close.length
  }
  if (text.startsWith("<!--", at)) return { at: end("-->"), isXml: false, isPage: false }
  if (text.startsWith("<?", at))
    return { at: end("?>"), isXml: /^<\?xml/i.test(text.slice(at, at + 5)), isPage: false }
  if (!/^<!doctype/i.test(text.slice(at, at + 9))) return undefined
  const isPage = /^<!doctype\s+html/i.test(text.slice(at, at + 40))
  const subset = text.indexOf("[", at)
  const hasSubset = subset >= 0 && subset < end(">")
  return { at: end(hasSubset ? "]>" : ">"), isXml: !isPage, isPage }
}
