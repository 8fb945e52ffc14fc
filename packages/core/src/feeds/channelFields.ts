import type { ChannelDraft } from "./ChannelDraft.js"
import type { Cursor } from "./Cursor.js"
import { readPerson } from "./podcastFields.js"
import { addressIn, authorName, categoryName, relationsOf, titleText } from "./texts.js"
import { keep, readFlag } from "./values.js"

/** What an element of the channel adds to what is known of the show. */
export type ChannelField = (element: Cursor, draft: ChannelDraft) => void

const readLink: ChannelField = (element, draft) => {
  const hasAttributes = element.nameEnd < element.tagClose
  const href = hasAttributes ? element.addressAttribute("href") : null
  if (href === null) {
    draft.link ??= element.addressText()
    return
  }
  for (const relation of relationsOf(element)) {
    switch (relation) {
      case "alternate":
        draft.alternateLink ??= href
        break
      case "self":
        draft.selfUrl ??= href
        break
      case "next":
        draft.nextUrl ??= href
        break
      case "prev-archive":
        draft.previousArchiveUrl ??= href
        break
    }
  }
}

/** The address inside `<image><url>`. */
const addressInside = (element: Cursor, key: string): string | null => {
  const children = element.children()
  for (let step = children.next(); step !== "cut"; step = children.next()) {
    if (step === "element" && children.name.key === key) return children.addressText()
  }
  return null
}

/** Categories of iTunes hold their subcategories. */
const readItunesCategory: ChannelField = (element, draft) => {
  keep(draft.categories, element.attribute("text"))
  const children = element.children()
  for (let step = children.next(); step !== "cut"; step = children.next()) {
    if (step === "element") keep(draft.categories, children.attribute("text"))
  }
}

const readFunding: ChannelField = (element, draft) => {
  const url = element.addressAttribute("url")
  if (url !== null) keep(draft.funding, { url, text: element.text() ?? "" })
}

const readLocked: ChannelField = (element, draft) => {
  const locked = readFlag(element.text())
  if (locked !== null) draft.locked ??= { locked, owner: element.attribute("owner") }
}

/** Every element of the channel that means something to us. */
export const channelFields: ReadonlyMap<string, ChannelField> = new Map<string, ChannelField>([
  [
    "title",
    (element, draft) => {
      draft.title ??= titleText(element)
    },
  ],
  ["link", readLink],
  [
    "language",
    (element, draft) => {
      draft.language ??= element.text()
    },
  ],
  [
    "dc:language",
    (element, draft) => {
      draft.language ??= element.text()
    },
  ],
  [
    "description",
    (element, draft) => {
      draft.description ??= element.markup()
    },
  ],
  [
    "subtitle",
    (element, draft) => {
      draft.subtitle ??= element.markup()
    },
  ],
  [
    "tagline",
    (element, draft) => {
      draft.subtitle ??= element.markup()
    },
  ],
  [
    "copyright",
    (element, draft) => {
      draft.copyright ??= element.text()
    },
  ],
  [
    "rights",
    (element, draft) => {
      draft.copyright ??= element.text()
    },
  ],
  [
    "dc:rights",
    (element, draft) => {
      draft.copyright ??= element.text()
    },
  ],
  [
    "author",
    (element, draft) => {
      draft.author ??= authorName(element)
    },
  ],
  [
    "dc:creator",
    (element, draft) => {
      draft.author ??= element.text()
    },
  ],
  ["category", (element, draft) => keep(draft.categories, categoryName(element))],
  [
    "image",
    (element, draft) => {
      draft.image ??= addressInside(element, "url")
    },
  ],
  [
    "logo",
    (element, draft) => {
      draft.image ??= element.addressText()
    },
  ],
  [
    "redirect",
    (element, draft) => {
      draft.newFeedUrl ??= addressInside(element, "newlocation")
    },
  ],
  [
    "itunes:author",
    (element, draft) => {
      draft.itunesAuthor ??= element.text()
    },
  ],
  [
    "itunes:image",
    (element, draft) => {
      draft.itunesImage ??= addressIn(element, "href", "url")
    },
  ],
  [
    "itunes:summary",
    (element, draft) => {
      draft.itunesSummary ??= element.markup()
    },
  ],
  [
    "itunes:subtitle",
    (element, draft) => {
      draft.subtitle ??= element.text()
    },
  ],
  [
    "itunes:explicit",
    (element, draft) => {
      draft.explicit ??= readFlag(element.text())
    },
  ],
  [
    "itunes:type",
    (element, draft) => {
      draft.type ??= element.text()
    },
  ],
  ["itunes:category", readItunesCategory],
  [
    "itunes:complete",
    (element, draft) => {
      draft.isComplete ||= readFlag(element.text()) === true
    },
  ],
  [
    "itunes:new-feed-url",
    (element, draft) => {
      draft.newFeedUrl ??= element.addressText()
    },
  ],
  [
    "podcast:guid",
    (element, draft) => {
      draft.podcastGuid ??= element.text()
    },
  ],
  [
    "podcast:medium",
    (element, draft) => {
      draft.medium ??= element.text()
    },
  ],
  ["podcast:locked", readLocked],
  ["podcast:funding", readFunding],
  ["podcast:person", (element, draft) => keep(draft.persons, readPerson(element))],
])
