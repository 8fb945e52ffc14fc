export { parseFeedDate } from "./dates.js"
export { parseFeedDuration } from "./durations.js"
export { chooseEnclosure, type Enclosure } from "./enclosures.js"
export type {
  AlternateEnclosure,
  Channel,
  ChapterMark,
  Episode,
  EpisodeDetails,
  Feed,
  FeedFormat,
  Person,
  Soundbite,
  TranscriptLink,
} from "./Feed.js"
export { FeedInvalid, type FeedInvalidReason } from "./FeedInvalid.js"
export { type FeedOptions, type FeedReader, feedReader, readFeed } from "./FeedReader.js"
export { defaultFeedLimits, type FeedLimits } from "./limits.js"
export { type EpisodeHints, type MatchedEpisode, matchEpisode } from "./matchEpisode.js"
export { mergeEpisodes } from "./mergeEpisodes.js"
export { EpisodeNotFound, type EpisodeSelector, selectEpisode } from "./selectEpisode.js"
