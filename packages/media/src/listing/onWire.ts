/** The episodes of a feed that was read here, in the words of the wire. */
import type { Episode, EpisodeDetails, Feed } from "@earmark/core/feeds"
import type { ResolvedFeed } from "@earmark/service"
import { DateTime } from "effect"
import type { EpisodeList } from "./EpisodeList.js"

/** Milliseconds since 1970 as the wire has them. */
const instant = (milliseconds: number | null) =>
  milliseconds === null ? null : DateTime.formatIso(DateTime.unsafeMake(milliseconds))

const seconds = (milliseconds: number) => milliseconds / 1000

const detailsOnWire = (details: EpisodeDetails) => ({
  description: details.description,
  summary: details.summary,
  subtitle: details.subtitle,
  author: details.author,
  explicit: details.explicit,
  season: details.season,
  episode: details.episode,
  episode_type: details.episodeType,
  keywords: details.keywords,
  categories: details.categories,
  updated_at: instant(details.updatedAt),
  enclosure: details.enclosure,
  alternate_enclosures: details.alternateEnclosures.map(({ isDefault, sources, ...rest }) => ({
    ...rest,
    default: isDefault,
    sources: sources.map(({ uri, contentType }) => ({ uri, content_type: contentType })),
  })),
  chapters_file: details.chaptersFile,
  chapters: details.chapters.map((mark) => ({ ...mark, start: seconds(mark.start) })),
  persons: details.persons,
  soundbites: details.soundbites.map((bite) => ({
    start: seconds(bite.start),
    duration: seconds(bite.duration),
    title: bite.title,
  })),
})

const episodeOnWire = (episode: Episode) => ({
  index: episode.index,
  title: episode.title,
  guid: episode.guid,
  published_at: instant(episode.publishedAt),
  duration_seconds: episode.durationSeconds,
  audio_url: episode.audioUrl,
  link: episode.link,
  image: episode.image,
  transcripts: episode.transcripts,
  ...(episode.details === null ? {} : detailsOnWire(episode.details)),
})

/** With everything that the feed says of itself. */
export const listOfFeed = (feed: Feed) => ({
  total: feed.total,
  returned: feed.episodes.length,
  feed: {
    title: feed.title,
    link: feed.link,
    language: feed.language,
    image: feed.image,
    author: feed.author,
  },
  data: feed.episodes.map(episodeOnWire),
})

/** What is no feed by itself, and listed all the same: the videos of a channel. */
export const listOfResolved = ({ title, total, episodes }: ResolvedFeed): EpisodeList => ({
  total,
  returned: episodes.length,
  feed: { title },
  data: episodes.map((episode) => ({
    index: episode.index,
    title: episode.title,
    guid: episode.guid,
    published_at: instant(episode.publishedAt),
    duration_seconds: episode.durationSeconds,
    audio_url: episode.mediaUrl,
    link: episode.link,
    image: episode.image,
    transcripts: episode.captions.map(({ url, type = null, language }) => ({ url, type, language })),
  })),
})
