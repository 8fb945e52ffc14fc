import { sameMedia } from "../links/mediaIdentity.js"

/** A file that an item offers. */
export interface Enclosure {
  readonly url: string
  readonly type: string | null
  readonly length: number | null
  readonly durationSeconds: number | null
  /** `audio`, `video`, `image`, ... when the feed says so apart from the type. */
  readonly medium: string | null
  /** How it was offered: as the enclosure of the item, or as one of its `media:content`. */
  readonly origin: "enclosure" | "media"
}

const MEDIA_TYPE = /^(?:audio|video)(?:\/|$)|^application\/ogg\b/i
const OTHER_TYPE = /^(?:image|text)\/|^application\/pdf\b/i
const MEDIA_EXTENSION =
  /\.(?:mp3|m4a|m4b|aac|ogg|oga|opus|wav|flac|mp4|m4v|mov|webm|mkv|mpg|mpeg|mpga|wma|aif|aiff|amr|3gp)$/i
const OTHER_EXTENSION =
  /\.(?:jpe?g|png|gif|webp|avif|svg|bmp|pdf|epub|zip|rar|torrent|html?|xml|rss|json|txt|vtt|srt|docx?|pptx?)$/i
const OTHER_DOCUMENT = /^application\/(?:epub\+zip|zip|x-bittorrent|json|xml|xhtml\+xml|msword|javascript)\b/i

/** A scheme of another kind than http, whatever blanks a browser would pass over in it. */
const OTHER_SCHEME = /^\s*(?!https?:)[a-z][a-z0-9+.\t\n\r-]*:/i

/**
 * Whether a file is playable: surely, perhaps, or not at all. A type that names no media beats the extension,
 * and nothing counts that is not on the web.
 */
const playability = (file: Enclosure): "media" | "unknown" | "other" => {
  if (OTHER_SCHEME.test(file.url)) return "other"
  const type = file.type ?? ""
  if (MEDIA_TYPE.test(type)) return "media"
  if (OTHER_TYPE.test(type)) return "other"
  const path = pathOf(file.url)
  if (MEDIA_EXTENSION.test(path)) return "media"
  return OTHER_DOCUMENT.test(type) || OTHER_EXTENSION.test(path) ? "other" : "unknown"
}

const pathOf = (url: string) => {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

const isMediaContent = (file: Enclosure) =>
  file.medium === null
    ? playability(file) === "media"
    : /^(?:audio|video)$/i.test(file.medium) && playability(file) !== "other"

/**
 * The media of an item: its first enclosure that is audio or video, else its first `media:content` that is,
 * else an enclosure of which nobody knows what it is. Null when nothing is playable: images and texts never are.
 */
export const chooseEnclosure = (files: ReadonlyArray<Enclosure>): Enclosure | null => {
  let media: Enclosure | null = null
  let unknown: Enclosure | null = null
  for (const file of files) {
    if (file.origin === "media") {
      if (media === null && isMediaContent(file)) media = file
      continue
    }
    const verdict = playability(file)
    if (verdict === "media") return file
    if (verdict === "unknown") unknown ??= file
  }
  return media ?? unknown
}

/** How long a file lasts: as it says itself, or as the same file says where it is offered once more. */
export const durationOf = (file: Enclosure, files: ReadonlyArray<Enclosure>): number | null =>
  file.durationSeconds ??
  files.find(({ url, durationSeconds }) => durationSeconds !== null && sameMedia(url, file.url))
    ?.durationSeconds ??
  null
