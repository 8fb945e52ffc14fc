import { decodeEntities } from "../text/entities.js"

/** One start tag with what matters of it. */
export interface Tag {
  /** In lower case, as are the names of its attributes. */
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** What stands in it up to its end tag: only of `script` and `title`. */
  readonly text: string
}

const WANTED: ReadonlySet<string> = new Set(["meta", "link", "base", "a", "audio", "video", "source"])
/** Between these and their end tags there are no tags. */
const OPAQUE = new Map(
  ["script", "style", "title", "textarea"].map((name) => [name, new RegExp(`</${name}`, "gi")] as const),
)
const KEPT: ReadonlySet<string> = new Set(["script", "title"])
const NAME = /[a-z][a-z0-9]*/iy
const SEPARATORS = /[\s/]*/y
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y
const ATTRIBUTES_AT_MOST = 40
const TAGS_AT_MOST = 20_000

/** The tags of a page that say something about feeds and media, in order. Any text gets an answer. */
export const readTags = (html: string): ReadonlyArray<Tag> => {
  const tags: Array<Tag> = []
  const endOf = makeEndFinder(html)
  let at = html.indexOf("<")
  while (at >= 0 && tags.length < TAGS_AT_MOST) {
    if (html.startsWith("<!--", at)) {
      const end = html.indexOf("-->", at + 4)
      at = end < 0 ? -1 : html.indexOf("<", end)
      continue
    }
    NAME.lastIndex = at + 1
    const name = NAME.exec(html)?.[0].toLowerCase() ?? ""
    if (!WANTED.has(name) && !OPAQUE.has(name)) {
      at = html.indexOf("<", at + 1)
      continue
    }
    const { attributes, end } = readAttributes(html, at + 1 + name.length)
    const stop = endOf(name, end)
    if (WANTED.has(name) || KEPT.has(name)) {
      tags.push({ name, attributes, text: KEPT.has(name) ? html.slice(end, stop) : "" })
    }
    at = html.indexOf("<", Math.max(stop, at + 1))
  }
  return tags
}

const readAttributes = (
  html: string,
  from: number,
): { readonly attributes: ReadonlyMap<string, string>; readonly end: number } => {
  const attributes = new Map<string, string>()
  let at = from
  for (let count = 0; count < ATTRIBUTES_AT_MOST; count++) {
    SEPARATORS.lastIndex = at
    SEPARATORS.test(html)
    ATTRIBUTE.lastIndex = SEPARATORS.lastIndex
    const found = ATTRIBUTE.exec(html)
    if (found === null) break
    at = ATTRIBUTE.lastIndex
    const name = (found[1] ?? "").toLowerCase()
    const value = found[2] ?? found[3] ?? found[4] ?? ""
    if (!attributes.has(name)) attributes.set(name, decodeEntities(value))
  }
  const close = html.indexOf(">", at)
  return { attributes, end: close < 0 ? html.length : close + 1 }
}

/** Where a tag ends that has no tags in it. What has no end tag at all is only looked for once. */
const makeEndFinder = (html: string): ((name: string, from: number) => number) => {
  const endless = new Set<string>()
  return (name, from) => {
    const pattern = OPAQUE.get(name)
    if (pattern === undefined || endless.has(name)) return from
    pattern.lastIndex = from
    const found = pattern.exec(html)
    if (found !== null) return found.index
    endless.add(name)
    return from
  }
}
