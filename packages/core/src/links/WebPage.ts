import { decodeEntities } from "../text/entities.js"
import { kindOfPath } from "./extensions.js"
import { readTags, type Tag } from "./htmlTags.js"

/** What a web page says about feeds and media. Addresses are absolute, each once. */
export interface WebPage {
  readonly title: string | null
  /** Where the page says it lives. */
  readonly addresses: ReadonlyArray<string>
  /** Feeds that the page names, those that look like podcasts first, those of comments last. */
  readonly feeds: ReadonlyArray<string>
  /** Files of sound or film that the page names, likeliest first. Only their bytes tell what they are. */
  readonly media: ReadonlyArray<string>
  /** Apple's ids of the shows that the page links to. */
  readonly appleIds: ReadonlyArray<string>
  /** Apple's own pages carry their data in a script of this id. */
  readonly serverData: string | null
}

const FEED_TYPE =
  /^(?:application|text)\/(?:rss|atom|rdf|feed)\+(?:xml|json)(?:;|$)|^application\/feed(?:;|$)/i
const LIKE_A_PODCAST = /podcast|audio|mp3/i
const APPLE_SHOW = /^https?:\/\/[\w.-]*\.apple\.com\/.*\bid(\d{5,20})(?:[/?#]|$)/i
const APP_SHOW = /\/itunes\/?(\d{5,20})(?:[/?#]|$)/i
const TITLE_AT_MOST = 300
const DEEPEST = 6
const MEDIA_AT_MOST = 20

/** Metadata that names media, in the order in which it is believed. */
const MEDIA_NAMES = [
  "og:audio:secure_url",
  "og:audio:url",
  "og:audio",
  "og:video:secure_url",
  "og:video:url",
  "og:video",
  "twitter:player:stream",
]

/** Reads what a page says of itself; what is broken in it is passed over, in linear time. */
export const readPage = (html: string, url: string): WebPage => {
  const tags = readTags(html)
  const base = absolute(tags.find(({ name }) => name === "base")?.attributes.get("href"), url) ?? url
  const within = (address: string | undefined) => absolute(address, base)
  const metadata = metadataOf(tags)
  const links = tags.filter(({ name }) => name === "link")
  const hasRelation = (tag: Tag, relation: string) =>
    (tag.attributes.get("rel") ?? "").toLowerCase().split(/\s+/).includes(relation)
  return {
    title: titleOf(metadata.get("og:title")) ?? titleOf(tags.find(({ name }) => name === "title")?.text),
    addresses: distinct([
      within(metadata.get("og:url")),
      ...links
        .filter((tag) => hasRelation(tag, "canonical"))
        .map((tag) => within(tag.attributes.get("href"))),
    ]),
    feeds: distinct(
      links
        .filter((tag) => hasRelation(tag, "alternate") && FEED_TYPE.test(tag.attributes.get("type") ?? ""))
        .map((tag) => ({ tag, address: within(tag.attributes.get("href")) }))
        .sort((left, right) => placeOf(left) - placeOf(right))
        .map(({ address }) => address),
    ),
    media: mediaOf(tags, metadata, within),
    appleIds: distinct(tags.map(({ attributes }) => appleIdIn(attributes.get("href") ?? ""))),
    serverData: tags.find(isServerData)?.text ?? null,
  }
}

const placeOf = ({ tag, address }: { readonly tag: Tag; readonly address: string | undefined }): number => {
  const text = `${tag.attributes.get("title") ?? ""} ${address ?? ""}`
  if (/comments/i.test(text)) return 2
  return LIKE_A_PODCAST.test(text) ? 0 : 1
}

/** The first value of each name counts. */
const metadataOf = (tags: ReadonlyArray<Tag>): ReadonlyMap<string, string> => {
  const metadata = new Map<string, string>()
  for (const { name, attributes } of tags) {
    if (name !== "meta") continue
    const property = (attributes.get("property") ?? attributes.get("name") ?? "").toLowerCase()
    const content = attributes.get("content")
    if (property !== "" && content !== undefined && !metadata.has(property)) metadata.set(property, content)
  }
  return metadata
}

const mediaOf = (
  tags: ReadonlyArray<Tag>,
  metadata: ReadonlyMap<string, string>,
  within: (address: string | undefined) => string | undefined,
): ReadonlyArray<string> => {
  const named = MEDIA_NAMES.map((name) => metadata.get(name))
  const played = tags
    .filter(({ name }) => name === "audio" || name === "video" || name === "source")
    .map(({ attributes }) => attributes.get("src"))
  const described = tags.filter(isLinkedData).flatMap(({ text }) => contentUrlsIn(text))
  return distinct([...named, ...played, ...described].map(within))
    .filter((address) => kindOfPath(new URL(address).pathname).kind !== "stream")
    .slice(0, MEDIA_AT_MOST)
}

const isLinkedData = ({ name, attributes }: Tag): boolean =>
  name === "script" && /^application\/ld\+json/i.test(attributes.get("type") ?? "")

const isServerData = ({ name, attributes }: Tag): boolean =>
  name === "script" && attributes.get("id") === "serialized-server-data"

const contentUrlsIn = (text: string): ReadonlyArray<string> => {
  try {
    const found: Array<string> = []
    collectContentUrls(JSON.parse(text), DEEPEST, found)
    return found
  } catch {
    return []
  }
}

const collectContentUrls = (value: unknown, depth: number, found: Array<string>): void => {
  if (typeof value !== "object" || value === null || depth === 0) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === "contentUrl" && typeof inner === "string") found.push(inner)
    else collectContentUrls(inner, depth - 1, found)
  }
}

const appleIdIn = (address: string): string | undefined =>
  APPLE_SHOW.exec(address)?.[1] ?? APP_SHOW.exec(address)?.[1]

const titleOf = (text: string | undefined): string | null => {
  const title = decodeEntities(text ?? "")
    .replace(/\s+/g, " ")
    .trim()
  return title === "" ? null : title.slice(0, TITLE_AT_MOST)
}

const absolute = (address: string | undefined, base: string): string | undefined => {
  const trimmed = address?.trim() ?? ""
  if (trimmed === "" || !URL.canParse(trimmed, base)) return undefined
  const url = new URL(trimmed, base)
  url.hash = ""
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined
}

const distinct = (values: ReadonlyArray<string | undefined>): ReadonlyArray<string> => [
  ...new Set(values.filter((value) => value !== undefined)),
]
