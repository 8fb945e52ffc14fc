/** What `index.json` says of a podcast, and the page beside it shows. */
import { Schema } from "effect"

const IndexedEpisode = Schema.Struct({
  guid: Schema.String,
  title: Schema.String,
  published_at: Schema.NullOr(Schema.String),
  link: Schema.NullOr(Schema.String),
  duration_seconds: Schema.NullOr(Schema.Finite),
  words: Schema.NullOr(Schema.Finite),
  speakers: Schema.NullOr(Schema.Finite),
  language: Schema.NullOr(Schema.String),
  origin: Schema.NullOr(Schema.String),
  summary: Schema.NullOr(Schema.String),
  outputs: Schema.Array(Schema.Struct({ format: Schema.String, path: Schema.String })),
})
export type IndexedEpisode = typeof IndexedEpisode.Type

export const IndexedShow = Schema.Struct({
  show: Schema.String,
  feed: Schema.NullOr(Schema.String),
  updated_at: Schema.String,
  episodes: Schema.Array(IndexedEpisode),
})
export type IndexedShow = typeof IndexedShow.Type
