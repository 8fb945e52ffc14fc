import type { Cursor } from "./Cursor.js"
import { parseFeedDuration } from "./durations.js"
import { type EpisodeDraft, type ItemField, itemField, LIST, RANK } from "./EpisodeDraft.js"
import { keep, readWhole } from "./values.js"

const readContent = (element: Cursor, draft: EpisodeDraft) => {
  const url = element.addressAttribute("url")
  if (url !== null) {
    keep(draft.enclosures, {
      url,
      type: element.attribute("type"),
      length: readWhole(element.attribute("fileSize")),
      medium: element.attribute("medium"),
      origin: "media",
    })
  }
  if (draft.depth < LIST) return
  draft.mediaDuration ??= parseFeedDuration(element.attribute("duration") ?? "")
  readChildren(element, draft)
}

const readThumbnail = (element: Cursor, draft: EpisodeDraft) => {
  draft.thumbnail ??= element.addressAttribute("url")
}

/** A `media:group` holds several forms of the same thing, a `media:content` its thumbnail. */
const readChildren = (element: Cursor, draft: EpisodeDraft) => {
  if (element.innerFrom === element.innerTo) return
  const children = element.children()
  for (let step = children.next(); step !== "cut"; step = children.next()) {
    if (step !== "element") continue
    if (children.name.key === "media:content") readContent(children, draft)
    else if (children.name.key === "media:thumbnail" && draft.depth >= LIST) readThumbnail(children, draft)
  }
}

/** Media RSS: the media of feeds that have no enclosure, and a picture. */
export const mediaFields: ReadonlyArray<readonly [string, ItemField]> = [
  ["media:content", itemField(RANK, readContent)],
  ["media:group", itemField(RANK, readChildren)],
  ["media:thumbnail", itemField(LIST, readThumbnail)],
]
