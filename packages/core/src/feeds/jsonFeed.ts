import type { InTurns } from "../text/inTurns.js"
import { resolveAddress } from "./addresses.js"
import { ChannelDraft } from "./ChannelDraft.js"
import type { DetailsDraft } from "./DetailsDraft.js"
import { parseFeedDate } from "./dates.js"
import { EpisodeDraft } from "./EpisodeDraft.js"
import type { Channel } from "./Feed.js"
import type { FeedInvalidReason } from "./FeedInvalid.js"
import { type Episodes, rankOf } from "./ordering.js"
import { QUOTE } from "./scanning.js"
import { keep } from "./values.js"
import type { FeedSettings } from "./XmlFeed.js"

interface JsonFeedRead {
  readonly channel: Channel
  readonly items: number
  readonly total: number
}

type Json = Readonly<Record<string, unknown>>

const ITEMS_IN_A_TURN = 500

/** JSON Feed 1.0 and 1.1, from its whole text. */
export function* readJsonFeed(
  text: string,
  settings: FeedSettings,
  episodes: Episodes,
): InTurns<JsonFeedRead | FeedInvalidReason> {
  const document = parseJson(text)
  yield
  if (!isRecord(document) || !Array.isArray(document.items)) return "not-a-feed"
  const items = document.items.filter(isRecord)
  if (items.length > settings.limits.items) return "too-many-items"
  let total = 0
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_IN_A_TURN === 0) yield
    const draft = draftOf(item, settings)
    const episode = draft.finish(settings.limits)
    if (episode === null) continue
    total++
    const rank = rankOf(episode.publishedAt, settings.now)
    if (episodes.wants(rank)) episodes.add(rank, episode)
  }
  return { channel: channelOf(document, settings.baseUrl).finish(), items: items.length, total }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(LONG_INTEGER.test(text) ? withTextIntegers(text) : text)
  } catch {
    return null
  }
}

/** Numbers have 53 bits: an id of more digits would become another one. */
const LONG_INTEGER = /[[:,]\s*-?\d{16}/
const QUOTE_OR_NUMBER = /"|-?\d[\d.e+-]*/gi
const WHOLE = /^-?\d{16,}$/

/** The same JSON, with each integer that a number cannot hold written as a text. */
const withTextIntegers = (json: string): string => {
  const pieces: Array<string> = []
  let from = 0
  QUOTE_OR_NUMBER.lastIndex = 0
  for (let found = QUOTE_OR_NUMBER.exec(json); found !== null; found = QUOTE_OR_NUMBER.exec(json)) {
    const [text] = found
    if (text === '"') QUOTE_OR_NUMBER.lastIndex = endOfText(json, found.index)
    else if (WHOLE.test(text)) {
      pieces.push(json.slice(from, found.index), '"', text, '"')
      from = QUOTE_OR_NUMBER.lastIndex
    }
  }
  return pieces.join("") + json.slice(from)
}

/** Just after the text that begins at `at`. */
const endOfText = (json: string, at: number): number => {
  for (let end = at + 1; end < json.length; end++) {
    const code = json.charCodeAt(end)
    if (code === BACKSLASH) end++
    else if (code === QUOTE) return end + 1
  }
  return json.length
}

const BACKSLASH = 92

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const records = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Ids and titles may be numbers; they are texts all the same. */
const someText = (value: unknown): string | null => {
  const text = typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : ""
  return text === "" ? null : text
}

const someNumber = (value: unknown): number | null =>
  typeof value === "number" && value >= 0 && Number.isFinite(value) ? value : null

const wholeSeconds = (value: unknown): number | null => {
  const seconds = someNumber(value)
  return seconds === null ? null : Math.trunc(seconds)
}

const address = (value: unknown, base: string | null): string | null => resolveAddress(someText(value), base)

const date = (value: unknown): number | null => parseFeedDate(someText(value) ?? "")

/** Version 1.1 has a list of authors, version 1 had one. */
const authorOf = (source: Json): string | null => {
  const named = [...records(source.authors), ...records([source.author])]
  return named.map((author) => someText(author.name)).find((name) => name !== null) ?? null
}

const draftOf = (item: Json, { baseUrl, depth }: FeedSettings): EpisodeDraft => {
  const draft = new EpisodeDraft(depth)
  for (const file of records(item.attachments)) {
    const url = address(file.url, baseUrl)
    if (url === null) continue
    keep(draft.enclosures, {
      url,
      type: someText(file.mime_type),
      length: someNumber(file.size_in_bytes),
      durationSeconds: wholeSeconds(file.duration_in_seconds),
      medium: null,
      origin: "enclosure",
    })
  }
  draft.title = someText(item.title)
  draft.guid = someText(item.id)
  draft.isPermaLink = false
  draft.link = address(item.url, baseUrl) ?? address(item.external_url, baseUrl)
  draft.published = date(item.date_published)
  draft.updated = date(item.date_modified)
  draft.image = address(item.image, baseUrl) ?? address(item.banner_image, baseUrl)
  if (draft.details !== null) addDetails(draft.details, item)
  return draft
}

const addDetails = (draft: DetailsDraft, item: Json): void => {
  draft.encodedContent = someText(item.content_html) ?? someText(item.content_text)
  draft.summary = someText(item.summary)
  draft.author = authorOf(item)
  const tags = Array.isArray(item.tags) ? item.tags : []
  for (const tag of tags) keep(draft.categories, someText(tag))
}

const channelOf = (document: Json, base: string | null): ChannelDraft => {
  const draft = new ChannelDraft()
  draft.title = someText(document.title)
  draft.link = address(document.home_page_url, base)
  draft.language = someText(document.language)
  draft.image = address(document.icon, base) ?? address(document.favicon, base)
  draft.author = authorOf(document)
  draft.description = someText(document.description)
  draft.isComplete = document.expired === true
  draft.selfUrl = address(document.feed_url, base)
  draft.nextUrl = address(document.next_url, base)
  return draft
}
