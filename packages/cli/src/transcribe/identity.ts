/** What a source is: enough to find it, and to ask for it again. */
import { resolve } from "node:path"
import { publisherOf } from "./made.js"
import type { Item } from "./sources.js"
import type { Found } from "./Workplace.js"

export interface Identity {
  readonly title: string | null
  /** Of a file, from the root on. */
  readonly path: string | null
  /** The feed that names it. */
  readonly feed: string | null
  readonly guid: string | null
  /** Its number in a feed of which several episodes are wanted. */
  readonly index: number | null
  /** Where its media is on the web. */
  readonly mediaUrl: string | null
}

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
