import type { Cursor } from "./Cursor.js"
import { parseFeedDuration } from "./durations.js"
import { type EpisodeDraft, LIST } from "./EpisodeDraft.js"
import { addressIn } from "./texts.js"
import { keep, readWhole } from "./values.js"

/** Media RSS: one form of the media of an item. */
export const mediaContent = (element: Cursor, draft: EpisodeDraft): void => {
  const url = element.addressAttribute("url")
  if (url !== null) {
    keep(draft.enclosures, {
      url,
      type: element.attribute("type"),
      length: readWhole(element.attribute("fileSize")),
      durationSeconds: draft.depth < LIST ? null : parseFeedDuration(element.attribute("duration") ?? ""),
      medium: element.attribute("medium"),
      origin: "media",
    })
  }
  if (draft.depth < LIST) return
  mediaGroup(element, draft)
}

/** A `media:group` holds several forms of the same thing; a `media:content` may hold its thumbnail. */
export const mediaGroup = (element: Cursor, draft: EpisodeDraft): void => {
  if (element.innerFrom === element.innerTo) return
  const children = element.children()
  for (let step = children.next(); step !== "cut"; step = children.next()) {
    if (step !== "element") continue
    if (children.name.key === "media:content") mediaContent(children, draft)
    else if (children.name.key === "media:thumbnail") mediaThumbnail(children, draft)
  }
}

export const mediaThumbnail = (element: Cursor, draft: EpisodeDraft): void => {
  if (draft.depth >= LIST) draft.thumbnail ??= addressIn(element, "url")
}
