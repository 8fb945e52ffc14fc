import type { Cursor } from "./Cursor.js"
import { textOfHtml } from "./decoding.js"

/** Atom says in `type` whether a text is HTML; a title is shown as plain text. */
export const titleText = (element: Cursor): string | null => {
  const text = element.text()
  if (text === null || element.nameEnd === element.tagClose) return text
  const type = element.attribute("type")
  return type === "html" || type === "text/html" ? textOfHtml(text) : text
}

/** `<author>` holds a `<name>` in Atom, plain text in RSS. */
export const authorName = (element: Cursor): string | null => {
  const children = element.children()
  for (let step = children.next(); step !== "cut"; step = children.next()) {
    if (step === "element" && children.name.key === "name") return children.text()
  }
  return element.text()
}

/** RSS writes categories as text, Atom as an attribute, iTunes as another. */
export const categoryName = (element: Cursor): string | null =>
  element.attribute("text") ?? element.attribute("label") ?? element.attribute("term") ?? element.text()

const WHOLE_ADDRESS = /^https?:\/\/\S+$/i

/** The address in one of these attributes, else in the text, where a whole one stands in it. */
export const addressIn = (element: Cursor, ...attributes: ReadonlyArray<string>): string | null => {
  for (const name of attributes) {
    const address = element.addressAttribute(name)
    if (address !== null) return address
  }
  const text = element.addressText()
  return text !== null && WHOLE_ADDRESS.test(text) ? text : null
}

const REGISTRY = /^https?:\/\/www\.iana\.org\/assignments\/relation\//

/** What an Atom link is to the feed or entry. The name of a relation may be written as its address at IANA. */
export const relationsOf = (element: Cursor): ReadonlyArray<string> =>
  (element.attribute("rel") ?? "alternate")
    .toLowerCase()
    .split(BLANKS)
    .map((word) => word.replace(REGISTRY, ""))

const BLANKS = /\s+/
