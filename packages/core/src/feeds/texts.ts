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
