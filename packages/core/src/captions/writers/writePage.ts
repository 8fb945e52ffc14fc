import { isSpaced } from "../../text/units.js"
import { escapeMarkup } from "../../xml/escapeMarkup.js"
import { clock, seconds } from "../timestamps.js"
import { chapteredParagraphs, summaryLines } from "./chapteredParagraphs.js"
import { pageScript, pageStyle } from "./pageFiles.js"
import type { Script } from "./Script.js"

/** What stands around a transcript on a page of its own. */
export interface PageFacts {
  /** The recording of the episode; the page has a player where it is known. Only addresses of the web are played. */
  readonly mediaUrl: string | null
  /** The folder of the style and the script, with its slash, seen from the page. */
  readonly assets: string
  /** The same transcript in other formats, seen from the page. */
  readonly files: ReadonlyArray<{ readonly name: string; readonly url: string; readonly type: string }>
  /** The page that lists this one. */
  readonly home?: { readonly title: string; readonly url: string }
}

/**
 * What a page of a transcript may load: its style and script from where it is, and the recording from anywhere, because
 * hosts of podcasts redirect to others.
 */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; media-src https: http:; base-uri 'none'; form-action 'none'"

const WEB_ADDRESS = /^https?:\/\//i

/** The beginning of every page, up to its body. Only `title` comes from outside. */
export function* writeHead(page: {
  readonly title: string
  readonly language: string | null
  readonly style: string
  readonly script: string
  readonly more?: ReadonlyArray<string>
}): Generator<string> {
  const language = page.language === null ? "" : ` lang="${escapeMarkup(page.language)}"`
  yield `<!DOCTYPE html>\n<html${language}>\n<head>\n<meta charset="utf-8">\n`
  yield `<meta http-equiv="Content-Security-Policy" content="${pagePolicy}">\n`
  yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
  yield '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
  yield `<title>${escapeMarkup(page.title)}</title>\n`
  yield `<link rel="stylesheet" href="${escapeMarkup(page.style)}">\n`
  for (const line of page.more ?? []) yield `${line}\n`
  yield `<script src="${escapeMarkup(page.script)}" defer></script>\n</head>\n`
}

function* writeText(script: Script): Generator<string> {
  let headings = 0
  for (const { chapters, speaker, start, pieces } of chapteredParagraphs(script)) {
    for (const chapter of chapters) yield `<h2 id="c${++headings}" dir="auto">${escapeMarkup(chapter)}</h2>\n`
    if (pieces.length === 0) continue
    if (speaker !== null) yield `<cite dir="auto">${escapeMarkup(speaker)}:</cite>`
    const at = Math.max(0, Math.round(start))
    yield `<time data-s="${seconds(start)}"><a href="#s${at}">${clock(start)}</a></time>\n<p id="s${at}" dir="auto">`
    let last = ""
    for (const piece of pieces) {
      const gap = last !== "" && isSpaced(last, piece.text) ? " " : ""
      yield `${gap}<span data-s="${seconds(piece.start)}">${escapeMarkup(piece.text)}</span>`
      last = piece.text
    }
    yield "</p>\n"
  }
}

/** Links to the chapters, in the order in which they come. */
function* writeContents({ chapters }: Script): Generator<string> {
  if (chapters.length < 2) return
  const sorted = [...chapters].sort((left, right) => left.start - right.start)
  yield '<nav class="tools"><ol>\n'
  for (const [index, { title }] of sorted.entries())
    yield `<li><a href="#c${index + 1}" dir="auto">${escapeMarkup(title)}</a></li>\n`
  yield "</ol></nav>\n"
}

/** A page of a transcript with a player: a click on a line plays it. Readable without its script, and on paper. */
export function* writePage(script: Script, page: PageFacts): Generator<string> {
  const title = script.title ?? "Transcript"
  const others = page.files.map(
    ({ url, type }) => `<link rel="alternate" type="${escapeMarkup(type)}" href="${escapeMarkup(url)}">`,
  )
  yield* writeHead({
    title,
    language: script.language,
    style: `${page.assets}${pageStyle.name}`,
    script: `${page.assets}${pageScript.name}`,
    more: others,
  })
  yield "<body>\n"
  const { home, mediaUrl } = page
  if (home !== undefined)
    yield `<nav class="tools"><a href="${escapeMarkup(home.url)}" dir="auto">${escapeMarkup(home.title)}</a></nav>\n`
  yield `<h1 dir="auto">${escapeMarkup(title)}</h1>\n`
  if (mediaUrl !== null && WEB_ADDRESS.test(mediaUrl))
    yield `<div class="player"><audio controls preload="none" src="${escapeMarkup(mediaUrl)}"></audio></div>\n`
  if (page.files.length > 0) {
    const links = page.files.map(
      ({ name, url }) => `<a href="${escapeMarkup(url)}">${escapeMarkup(name)}</a>`,
    )
    yield `<p class="tools soft">${links.join(" ")}</p>\n`
  }
  const summary = summaryLines(script)
  if (summary.length > 0) yield "<h2>Summary</h2>\n"
  for (const line of summary) yield `<p dir="auto">${escapeMarkup(line)}</p>\n`
  yield* writeContents(script)
  yield "<main>\n"
  yield* writeText(script)
  yield "</main>\n</body>\n</html>\n"
}
