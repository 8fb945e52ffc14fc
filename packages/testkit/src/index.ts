export { atomFeed, jsonFeed, type RssStyle, rdfFeed, rssFeed } from "./feedDocuments.js"
export { type PodcastEpisode, podcastEpisodes } from "./podcasts.js"
export { seededRandom } from "./random.js"
