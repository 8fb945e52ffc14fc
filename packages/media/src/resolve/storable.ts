import type { Episode, Feed } from "@earmark/core/feeds"

/** What no database takes in a text. */
const UNFIT = /\u0000|\p{Surrogate}/gu

/** A text of others that every store takes. */
export const storable = (text: string): string => (text.search(UNFIT) < 0 ? text : text.replace(UNFIT, ""))

const maybe = (text: string | null): string | null => (text === null ? null : storable(text))

const storableEpisode = (episode: Episode): Episode => ({
  ...episode,
  title: maybe(episode.title),
  guid: storable(episode.guid),
  audioUrl: storable(episode.audioUrl),
  link: maybe(episode.link),
  image: maybe(episode.image),
  transcripts: episode.transcripts.map((transcript) => ({
    ...transcript,
    url: storable(transcript.url),
    type: maybe(transcript.type),
    language: maybe(transcript.language),
  })),
})

/** A feed of which everything that is kept can be kept. */
export const storableFeed = (feed: Feed): Feed => ({
  ...feed,
  title: maybe(feed.title),
  language: maybe(feed.language),
  episodes: feed.episodes.map(storableEpisode),
})
