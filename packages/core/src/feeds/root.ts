import type { FeedFormat } from "./Feed.js"
import type { FeedInvalidReason } from "./FeedInvalid.js"
import { afterSpecial, BANG, CUT, isNameStart, QUESTION } from "./scanning.js"

/** Where the root element of a feed stands, what spoils the search, or null: more text is needed. */
export type Root =
  | { readonly format: Exclude<FeedFormat, "json">; readonly at: number; readonly isRedirect: boolean }
  | { readonly reason: FeedInvalidReason }
  | null

const FORMATS = new Map<string, Exclude<FeedFormat, "json">>([
  ["rss", "rss"],
  ["redirect", "rss"],
  ["rdf", "rdf"],
  ["feed", "atom"],
])

/** How far into a document a root may stand: after blanks, comments, and the warnings of broken servers. */
const FARTHEST = 64 * 1024
const TAG_NAME = /^(?:[\w.-]+:)?([\w.-]+)/

export const findRoot = (text: string, isLast: boolean): Root => {
  let mark = text.indexOf("<")
  while (mark >= 0 && mark < FARTHEST) {
    const code = text.charCodeAt(mark + 1)
    let end = mark + 1
    if (code === BANG || code === QUESTION) {
      if (/^<!doctype\s+html/i.test(text.slice(mark, mark + 64))) return { reason: "web-page" }
      end = /^<!doctype/i.test(text.slice(mark, mark + 9))
        ? afterDoctype(text, mark)
        : afterSpecial(text, mark)
      if (end === CUT) break
    } else if (isNameStart(code)) {
      const tag = text.slice(mark + 1, mark + 65)
      if (tag.length < 64 && !isLast && !/[\s/>]/.test(tag)) break
      const name = TAG_NAME.exec(tag)?.[1]?.toLowerCase() ?? ""
      const format = FORMATS.get(name)
      if (format !== undefined) return { format, at: mark, isRedirect: name === "redirect" }
      if (name === "html") return { reason: "web-page" }
    }
    mark = text.indexOf("<", end)
  }
  return isLast || text.length > 2 * FARTHEST ? { reason: "not-a-feed" } : null
}

/** A document type may hold declarations in brackets; none of them is read. */
const afterDoctype = (text: string, at: number): number => {
  const close = text.indexOf(">", at)
  const bracket = text.indexOf("[", at)
  if (close < 0) return CUT
  if (bracket < 0 || close < bracket) return close + 1
  const end = /\]\s*>/g
  end.lastIndex = bracket
  return end.exec(text) === null ? CUT : end.lastIndex
}
