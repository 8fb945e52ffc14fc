/** How results name their sources. */
import { resolve } from "node:path"
import type { Item } from "../sources/sources.js"
import { publisherOf } from "../state/made.js"
import type { Found, Identity } from "../work/Workplace.js"

const UNKNOWN: Identity = { title: null, path: null, feed: null, guid: null, index: null, mediaUrl: null }

/** `found`: null where it was not found. */
export const identityOf = (item: Item, found: Found | null): Identity => {
  switch (item.type) {
    case "episode": {
      const { show, episode } = item
      const { title, guid, index, mediaUrl } = episode
      return { title: title ?? item.name, path: null, feed: show.address, guid, index, mediaUrl }
    }
    case "broken":
      return { ...UNKNOWN, ...item.identity }
    case "file":
      return { ...UNKNOWN, title: found?.title ?? null, path: resolve(item.path) }
    case "link":
    case "input":
      return found === null
        ? UNKNOWN
        : {
            ...UNKNOWN,
            title: found.title,
            feed: publisherOf(found),
            guid: found.guid,
            mediaUrl: found.mediaUrl,
          }
  }
}

/** As a line of results says it: what is not known is left out, but for the title. */
export const identityOnWire = ({ title, path, feed, guid, index, mediaUrl }: Identity) => ({
  title,
  ...(path !== null && { path }),
  ...(feed !== null && { feed }),
  ...(guid !== null && { guid }),
  ...(index !== null && { index }),
  ...(mediaUrl !== null && { media_url: mediaUrl }),
})
