/** What Apple's directory and its pages say, in our words. */
import { type EpisodeHints, parseFeedDate } from "@earmark/core/feeds"
import { Schema } from "effect"

export interface AppleEpisode extends EpisodeHints {
  readonly id: string
}

export interface AppleShow {
  readonly title: string | null
  /** Null for shows that only subscribers get. */
  readonly feedUrl: string | null
  /** The newest ones, 200 at most. */
  readonly episodes: ReadonlyArray<AppleEpisode>
}

const text = Schema.optional(Schema.NullOr(Schema.String))
const number = Schema.optional(Schema.NullOr(Schema.Number))

const Row = Schema.Struct({
  wrapperType: text,
  kind: text,
  trackId: number,
  collectionName: text,
  trackName: text,
  feedUrl: text,
  episodeGuid: text,
  episodeUrl: text,
  releaseDate: text,
  trackTimeMillis: number,
})
type Row = typeof Row.Type

const Answer = Schema.parseJson(Schema.Struct({ results: Schema.Array(Schema.Unknown) }))
const decodeAnswer = Schema.decodeUnknownOption(Answer)
const decodeRow = Schema.decodeUnknownOption(Row)

const instantOf = (date: string | null | undefined): number | null => (date ? parseFeedDate(date) : null)

const episodeOf = (row: Row): AppleEpisode => ({
  id: String(row.trackId ?? ""),
  guid: row.episodeGuid || null,
  audioUrl: row.episodeUrl || null,
  link: null,
  title: row.trackName || null,
  publishedAt: instantOf(row.releaseDate),
  durationSeconds: row.trackTimeMillis ? Math.floor(row.trackTimeMillis / 1000) : null,
})

const isEpisode = ({ wrapperType, kind }: Row): boolean =>
  wrapperType === "podcastEpisode" || kind === "podcast-episode"

/** The answer of a lookup; null when it is none, or has no show in it. Rows that are broken are passed over. */
export const readLookup = (json: string): AppleShow | null => {
  const answer = decodeAnswer(json)
  if (answer._tag === "None") return null
  const rows = answer.value.results.flatMap((row) => {
    const read = decodeRow(row)
    return read._tag === "Some" ? [read.value] : []
  })
  const show = rows.find((row) => !isEpisode(row))
  const episodes = rows.filter(isEpisode).map(episodeOf)
  if (show === undefined && episodes.length === 0) return null
  return {
    title: show?.collectionName || show?.trackName || null,
    feedUrl: show?.feedUrl || null,
    episodes,
  }
}

const DEEPEST = 12
const OBJECTS_AT_MOST = 20_000

/** Every object in a document, outermost first. */
const objectsIn = function* (value: unknown): Generator<Record<string, unknown>> {
  const waiting: Array<readonly [unknown, number]> = [[value, 0]]
  for (let seen = 0; seen < waiting.length && seen < OBJECTS_AT_MOST; seen++) {
    const [current, depth] = waiting[seen] ?? [null, 0]
    if (typeof current !== "object" || current === null || depth > DEEPEST) continue
    const entries = Object.entries(current)
    if (!Array.isArray(current)) yield Object.fromEntries(entries)
    for (const [, inner] of entries) waiting.push([inner, depth + 1])
  }
}

const stringOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)
const decodeJson = Schema.decodeUnknownOption(Schema.parseJson())

/**
 * The episode in the data of its page: an object that names both the title and the media. Other objects of the page may do so, too
 * (further episodes); the one that carries the id is meant.
 */
export const readServerData = (json: string | null, id: string): AppleEpisode | null => {
  const data = decodeJson(json)
  if (data._tag === "None") return null
  for (const object of objectsIn(data.value)) {
    const offer = object.episodeOffer
    const inner = typeof offer === "object" && offer !== null ? Object.fromEntries(Object.entries(offer)) : {}
    const named = stringOf(object.adamId) ?? stringOf(object.contentId) ?? stringOf(inner.contentId)
    const audioUrl = stringOf(object.streamUrl) ?? stringOf(inner.streamUrl)
    const title = stringOf(object.title) ?? stringOf(inner.title)
    if (named !== id || title === null) continue
    const duration = object.duration ?? inner.duration
    return {
      id,
      guid: stringOf(object.guid) ?? stringOf(inner.guid),
      audioUrl,
      link: null,
      title,
      publishedAt: instantOf(stringOf(object.releaseDate) ?? stringOf(inner.releaseDate)),
      durationSeconds: typeof duration === "number" && duration > 0 ? Math.floor(duration) : null,
    }
  }
  return null
}
