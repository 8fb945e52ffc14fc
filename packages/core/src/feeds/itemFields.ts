import type { Cursor } from "./Cursor.js"
import { parseFeedDate } from "./dates.js"
import { DETAILS, type EpisodeDraft, type ItemField, itemField, LIST, RANK } from "./EpisodeDraft.js"
import { itunesFields } from "./itunesFields.js"
import { mediaFields } from "./mediaFields.js"
import { podcastFields } from "./podcastFields.js"
import { authorName, categoryName, titleText } from "./texts.js"
import { keep, readWhole } from "./values.js"

const date = (element: Cursor) => {
  const text = element.text()
  return text === null ? null : parseFeedDate(text)
}

/** RSS has the address as text; Atom has it in `href`, and its enclosures here too. */
const readLink = (element: Cursor, draft: EpisodeDraft) => {
  const hasAttributes = element.nameEnd < element.tagClose
  const href = hasAttributes ? element.addressAttribute("href") : null
  if (href === null) {
    if (draft.depth >= LIST) draft.link ??= element.addressText()
    return
  }
  const rel = element.attribute("rel") ?? "alternate"
  if (rel === "enclosure") keep(draft.enclosures, enclosureAt(href, element))
  else if (rel === "alternate") draft.alternateLink ??= href
}

const enclosureAt = (url: string, element: Cursor) =>
  ({
    url,
    type: element.attribute("type"),
    length: readWhole(element.attribute("length")),
    medium: null,
    origin: "enclosure",
  }) as const

const readEnclosure = (element: Cursor, draft: EpisodeDraft) => {
  const url = element.addressAttribute("url")
  if (url !== null) keep(draft.enclosures, enclosureAt(url, element))
}

const readGuid = (element: Cursor, draft: EpisodeDraft) => {
  if (draft.guid !== null) return
  draft.guid = element.text()
  draft.isPermaLink = element.attribute("isPermaLink")?.toLowerCase() !== "false"
}

/** The elements of RSS and Atom, and of the old general namespaces. */
const coreFields: ReadonlyArray<readonly [string, ItemField]> = [
  ["enclosure", itemField(RANK, readEnclosure)],
  ["link", itemField(RANK, readLink)],
  [
    "pubdate",
    itemField(RANK, (element, draft) => {
      draft.pubDate ??= date(element)
    }),
  ],
  [
    "published",
    itemField(RANK, (element, draft) => {
      draft.published ??= date(element)
    }),
  ],
  [
    "issued",
    itemField(RANK, (element, draft) => {
      draft.published ??= date(element)
    }),
  ],
  [
    "dc:date",
    itemField(RANK, (element, draft) => {
      draft.dublinCoreDate ??= date(element)
    }),
  ],
  [
    "dcterms:issued",
    itemField(RANK, (element, draft) => {
      draft.dublinCoreDate ??= date(element)
    }),
  ],
  [
    "updated",
    itemField(RANK, (element, draft) => {
      draft.updated ??= date(element)
    }),
  ],
  [
    "modified",
    itemField(RANK, (element, draft) => {
      draft.updated ??= date(element)
    }),
  ],
  [
    "title",
    itemField(LIST, (element, draft) => {
      draft.title ??= titleText(element)
    }),
  ],
  ["guid", itemField(LIST, readGuid)],
  [
    "id",
    itemField(LIST, (element, draft) => {
      draft.id ??= element.text()
    }),
  ],
  [
    "description",
    itemField(DETAILS, (element, draft) => {
      draft.description ??= element.markup()
    }),
  ],
  [
    "content:encoded",
    itemField(DETAILS, (element, draft) => {
      draft.encodedContent ??= element.markup()
    }),
  ],
  [
    "content",
    itemField(DETAILS, (element, draft) => {
      draft.encodedContent ??= element.markup()
    }),
  ],
  [
    "summary",
    itemField(DETAILS, (element, draft) => {
      draft.atomSummary ??= element.markup()
    }),
  ],
  [
    "author",
    itemField(DETAILS, (element, draft) => {
      draft.author ??= authorName(element)
    }),
  ],
  [
    "dc:creator",
    itemField(DETAILS, (element, draft) => {
      draft.author ??= element.text()
    }),
  ],
  ["category", itemField(DETAILS, (element, draft) => keep(draft.categories, categoryName(element)))],
]

/** Every element of an item that means something to us. */
export const itemFields: ReadonlyMap<string, ItemField> = new Map([
  ...coreFields,
  ...itunesFields,
  ...podcastFields,
  ...mediaFields,
])
