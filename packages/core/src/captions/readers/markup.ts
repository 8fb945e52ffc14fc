import { decodeReferences } from "./characterReferences.js"

/** A tag or the text between two tags. */
export type Markup =
  | { readonly kind: "text"; readonly text: string; readonly at: number }
  | {
      readonly kind: "open" | "close"
      readonly name: string
      readonly attributes: string
      readonly at: number
    }

const TAG_NAME = /^\/?([A-Za-z][^\s/>]*)/
/** What is inside is no text of the page. */
const OPAQUE = new Map(
  ["script", "style", "template", "noscript"].map((name) => [name, new RegExp(`</${name}`, "gi")] as const),
)

const ATTRIBUTES = ["lang", "frameRate", "tickRate", "id", "begin", "dur", "end", "agent"] as const
type AttributeName = (typeof ATTRIBUTES)[number]

const ATTRIBUTE = new Map(
  ATTRIBUTES.map((name) => {
    const value = String.raw`\s*=\s*(?:"([^"]*)"|'([^']*)')`
    return [name, new RegExp(String.raw`(?:^|[\s:])${name}${value}`, "i")] as const
  }),
)

/**
 * The tags and texts of HTML or XML in their order, without building a tree: what is never closed costs nothing.
 * Names are in lower case; an XML tag that closes itself comes as open and close.
 */
export function* readMarkup(source: string): Generator<Markup> {
  let at = 0
  while (at < source.length) {
    const tagStart = source.indexOf("<", at)
    const textEnd = tagStart < 0 ? source.length : tagStart
    if (textEnd > at) yield { kind: "text", text: decodeReferences(source.slice(at, textEnd)), at }
    if (tagStart < 0) return
    const skipped = skipDeclaration(source, tagStart)
    if (skipped !== null) {
      if (skipped.text !== "") yield { kind: "text", text: skipped.text, at: tagStart }
      at = skipped.end
      continue
    }
    let tagEnd = source.indexOf(">", tagStart)
    if (tagEnd < 0) tagEnd = source.length
    const tag = source.slice(tagStart + 1, tagEnd)
    at = tagEnd + 1
    const name = TAG_NAME.exec(tag)?.[1]?.toLowerCase()
    if (name === undefined) continue
    const closing = tag.startsWith("/")
    const attributes = closing ? "" : tag.slice(name.length)
    yield { kind: closing ? "close" : "open", name, attributes, at: tagStart }
    if (tag.endsWith("/")) yield { kind: "close", name, attributes: "", at: tagStart }
    else if (!closing) at = endOfOpaque(source, at, name)
  }
}

const skipDeclaration = (
  source: string,
  at: number,
): { readonly end: number; readonly text: string } | null => {
  const upTo = (mark: string) => {
    const end = source.indexOf(mark, at)
    return end < 0 ? source.length : end + mark.length
  }
  if (source.startsWith("<!--", at)) return { end: upTo("-->"), text: "" }
  if (source.startsWith("<![CDATA[", at)) {
    const end = upTo("]]>")
    return { end, text: source.slice(at + 9, end).replace(/\]\]>$/, "") }
  }
  if (source.startsWith("<!", at) || source.startsWith("<?", at)) return { end: upTo(">"), text: "" }
  return null
}

/** Where the text goes on after this start tag. */
const endOfOpaque = (source: string, at: number, name: string): number => {
  const closing = OPAQUE.get(name)
  if (closing === undefined) return at
  closing.lastIndex = at
  return closing.exec(source)?.index ?? source.length
}

/** The value of an attribute, whatever prefix its name has; null when it is not there. */
export const attribute = (attributes: string, name: AttributeName): string | null => {
  const match = ATTRIBUTE.get(name)?.exec(attributes)
  const value = match?.[1] ?? match?.[2]
  return value === undefined ? null : decodeReferences(value)
}
