/** What the program for social sites says of a post, in our words. */
import type { SocialSite } from "@earmark/core/links"
import { Option, Schema } from "effect"
import type { SocialCaptions, SocialFacts } from "./SocialVideo.js"

const text = Schema.optional(Schema.NullOr(Schema.String))
const Track = Schema.Struct({ url: text, ext: text })
/** Tracks by language; what is no track is passed over later. */
const Tracks = Schema.optional(
  Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.Unknown) })),
)

const Record = Schema.Struct({
  title: text,
  duration: Schema.optional(Schema.NullOr(Schema.Number)),
  language: text,
  is_live: Schema.optional(Schema.NullOr(Schema.Boolean)),
  live_status: text,
  subtitles: Tracks,
  automatic_captions: Tracks,
  /** Several clips in one post: the first one counts. */
  entries: Schema.optional(Schema.NullOr(Schema.Array(Schema.Unknown))),
})
type Record = typeof Record.Type

const decodeRecord = Schema.decodeUnknownOption(Schema.parseJson(Record))
const decodeEntry = Schema.decodeUnknownOption(Record)
const decodeTrack = Schema.decodeUnknownOption(Track)

/** Those with times for single words come first. */
const FORMATS = ["json3", "vtt", "srt", "ttml"]
const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9_-]{1,20})?$/i
const ORIGINAL = /-orig$/
const OFFERS_AT_MOST = 20
const TITLE_AT_MOST = 300
/** Sites whose listed subtitles are written by people; others list what their machines heard. */
const WRITTEN_BY_PEOPLE: ReadonlySet<SocialSite> = new Set(["youtube", "vimeo"])

const trackUrl = (tracks: ReadonlyArray<unknown>): string | null => {
  const read = tracks.flatMap((track) => Option.toArray(decodeTrack(track)))
  for (const format of FORMATS) {
    const url = read.find(({ ext }) => ext === format)?.url
    if (url && /^https?:\/\//i.test(url)) return url
  }
  return null
}

const captionsOf = (tracks: Record["subtitles"], madeBy: SocialCaptions["madeBy"]) =>
  Object.entries(tracks ?? {}).flatMap(([name, list]): ReadonlyArray<SocialCaptions> => {
    const language = name.replace(ORIGINAL, "")
    const url = LANGUAGE.test(language) ? trackUrl(list) : null
    if (url === null) return []
    return [{ url, language, madeBy: /autogen/i.test(name) ? "machine" : madeBy }]
  })

/** Of automatic tracks only the one in the language of the media: the others are machine translations of it. */
const heard = (tracks: Record["automatic_captions"]): Record["subtitles"] =>
  Object.fromEntries(Object.entries(tracks ?? {}).filter(([name]) => ORIGINAL.test(name)))

const plainTitle = (title: string | null | undefined): string | null =>
  (title ?? "")
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, TITLE_AT_MOST) || null

/** The facts, `live` for what is no recording, null for an answer that is none. */
export const readPost = (json: string, site: SocialSite): SocialFacts | "live" | null => {
  const whole = Option.getOrNull(decodeRecord(json))
  if (whole === null) return null
  const entry = whole.entries?.[0]
  const record = entry === undefined ? whole : Option.getOrNull(decodeEntry(entry))
  if (record === null) return null
  if (record.is_live === true || record.live_status === "is_live" || record.live_status === "is_upcoming") {
    return "live"
  }
  const madeBy = WRITTEN_BY_PEOPLE.has(site) ? "people" : "machine"
  return {
    title: plainTitle(record.title ?? whole.title),
    durationSeconds: record.duration && record.duration > 0 ? record.duration : null,
    language: record.language && LANGUAGE.test(record.language) ? record.language : null,
    captions: [
      ...captionsOf(record.subtitles, madeBy),
      ...captionsOf(heard(record.automatic_captions), "machine"),
    ].slice(0, OFFERS_AT_MOST),
  }
}
