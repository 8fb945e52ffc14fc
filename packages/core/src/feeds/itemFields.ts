import { resolveAddress } from "./addresses.js"
import type { Cursor } from "./Cursor.js"
import { parseFeedDate } from "./dates.js"
import { parseFeedDuration } from "./durations.js"
import { type Depth, type EpisodeDraft, LIST, RANK } from "./EpisodeDraft.js"
import { mediaContent, mediaGroup, mediaThumbnail } from "./mediaFields.js"
import { readTranscript } from "./podcastFields.js"
import { addressIn, relationsOf, titleText } from "./texts.js"
import { keep, readWhole } from "./values.js"

/** What an element of an item adds to the episode. */
type ItemField = (element: Cursor, draft: EpisodeDraft) => void

const date = (element: Cursor) => {
  const text = element.text()
  return text === null ? null : parseFeedDate(text)
}

const readPubDate: ItemField = (element, draft) => {
  draft.pubDate ??= date(element)
}

const readPublished: ItemField = (element, draft) => {
  draft.published ??= date(element)
}

const readDublinCoreDate: ItemField = (element, draft) => {
  draft.dublinCoreDate ??= date(element)
}

const readUpdated: ItemField = (element, draft) => {
  draft.updated ??= date(element)
}

/** RSS has the address as text; Atom has it in `href`, and its enclosures here too. */
const readLink: ItemField = (element, draft) => {
  const hasAttributes = element.nameEnd < element.tagClose
  const href = hasAttributes ? element.addressAttribute("href") : null
  if (href === null) {
    if (draft.depth >= LIST) draft.link ??= element.addressText()
    return
  }
  const relations = relationsOf(element)
  if (relations.includes("enclosure")) keep(draft.enclosures, enclosureAt(href, element, draft))
  else if (relations.includes("alternate")) draft.alternateLink ??= href
}

const enclosureAt = (url: string, element: Cursor, { depth }: EpisodeDraft) =>
  ({
    url,
    type: element.attribute("type"),
    length: depth < LIST ? null : readWhole(element.attribute("length")),
    durationSeconds: null,
    medium: null,
    origin: "enclosure",
  }) as const

const readEnclosure: ItemField = (element, draft) => {
  const url = addressIn(element, "url")
  if (url !== null) keep(draft.enclosures, enclosureAt(url, element, draft))
}

/** RDF writes what an enclosure says in attributes with prefixes. */
const readRdfEnclosure: ItemField = (element, draft) => {
  const address = element.prefixedAttribute("resource") ?? element.prefixedAttribute("url")
  const url = resolveAddress(address, element.innerBase())
  if (url === null) return
  keep(draft.enclosures, {
    url,
    type: element.prefixedAttribute("type"),
    length: readWhole(element.prefixedAttribute("length")),
    durationSeconds: null,
    medium: null,
    origin: "enclosure",
  })
}

const readTitle: ItemField = (element, draft) => {
  draft.title ??= titleText(element)
}

const readGuid: ItemField = (element, draft) => {
  if (draft.guid !== null) return
  draft.guid = element.text()
  draft.isPermaLink = element.attribute("isPermaLink")?.toLowerCase() !== "false"
}

const readId: ItemField = (element, draft) => {
  draft.id ??= element.text()
}

const readDuration: ItemField = (element, draft) => {
  draft.duration ??= parseFeedDuration(element.text() ?? "")
}

const readItunesTitle: ItemField = (element, draft) => {
  draft.itunesTitle ??= element.text()
}

const readImage: ItemField = (element, draft) => {
  draft.image ??= addressIn(element, "href", "url")
}

/** What decides whether an item is an episode, and which one is newer. */
const ranking: ReadonlyMap<string, ItemField> = new Map([
  ["enclosure", readEnclosure],
  ["enc:enclosure", readRdfEnclosure],
  ["link", readLink],
  ["media:content", mediaContent],
  ["media:group", mediaGroup],
  ["pubdate", readPubDate],
  ["published", readPublished],
  ["issued", readPublished],
  ["dc:date", readDublinCoreDate],
  ["dcterms:issued", readDublinCoreDate],
  ["updated", readUpdated],
  ["modified", readUpdated],
])

/** What a list of episodes shows, too. */
const listing: ReadonlyMap<string, ItemField> = new Map([
  ...ranking,
  ["title", readTitle],
  ["guid", readGuid],
  ["id", readId],
  ["itunes:duration", readDuration],
  ["itunes:title", readItunesTitle],
  ["itunes:image", readImage],
  ["media:thumbnail", mediaThumbnail],
  [
    "podcast:transcript",
    (element: Cursor, draft: EpisodeDraft) => keep(draft.transcripts, readTranscript(element)),
  ],
])

/** The elements that are read for an episode at this depth; what is in the details has a table of its own. */
export const itemFields = (depth: Depth): ReadonlyMap<string, ItemField> =>
  depth === RANK ? ranking : listing
