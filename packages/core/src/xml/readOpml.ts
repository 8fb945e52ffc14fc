import { Either } from "effect"
import { childText, elementsOf, readXml, type XmlElement } from "./readXml.js"
import { XmlInvalid } from "./XmlInvalid.js"

/** A feed in a list of subscriptions. */
export interface OpmlFeed {
  readonly title: string | null
  readonly url: string
  /** The outlines around it, from the outside in, or what it names itself; null outside all of them. */
  readonly category: string | null
}

export interface Opml {
  readonly title: string | null
  /** In their order, each address once. */
  readonly feeds: ReadonlyArray<OpmlFeed>
}

/** Nothing else counts: a list from elsewhere cannot name files of this machine. */
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i

/** Programs write `xmlUrl`, `xmlurl` and `XMLURL`. */
const attributeOf = ({ attributes }: XmlElement, name: string): string | null => {
  for (const [key, value] of attributes) {
    if (key.toLowerCase() === name && value.trim() !== "") return value.trim()
  }
  return null
}

function* feedsIn(outline: XmlElement, around: ReadonlyArray<string>): Generator<OpmlFeed> {
  const title = attributeOf(outline, "title") ?? attributeOf(outline, "text")
  const url = attributeOf(outline, "xmlurl")
  if (url !== null && ADDRESS.test(url)) {
    const category = around.length > 0 ? around.join(" / ") : attributeOf(outline, "category")
    yield { title, url, category }
  }
  const inside = title === null || url !== null ? around : [...around, title]
  for (const child of outlinesIn(outline)) yield* feedsIn(child, inside)
}

const named = (element: XmlElement, name: string) =>
  elementsOf(element).filter((each) => each.name.toLowerCase() === name)

const outlinesIn = (element: XmlElement) => named(element, "outline")

/** The feeds of a list of subscriptions, as podcast apps export them. */
export const readOpml = (text: string): Either.Either<Opml, XmlInvalid> =>
  Either.gen(function* () {
    const root = yield* readXml(text)
    if (root.name.toLowerCase() !== "opml") {
      return yield* Either.left(new XmlInvalid({ reason: "no-opml", line: null, limit: null }))
    }
    const [head] = named(root, "head")
    const feeds = new Map<string, OpmlFeed>()
    for (const outline of named(root, "body").flatMap(outlinesIn)) {
      for (const feed of feedsIn(outline, [])) if (!feeds.has(feed.url)) feeds.set(feed.url, feed)
    }
    const title = head === undefined ? undefined : childText(head, "title")?.trim()
    return { title: title || null, feeds: [...feeds.values()] }
  })
