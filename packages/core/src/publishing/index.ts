export { documentOfJson } from "./documentOfJson.js"
export { publicMediaUrl } from "./publicMediaUrl.js"
export {
  type EpisodeTags,
  episodeTags,
  type PublishedName,
  publishedFiles,
  type TaggedFile,
  tagLines,
} from "./publishedFiles.js"
export { type PublishedEpisode, type PublishedShow, showJson, showOpml } from "./showLists.js"
export {
  episodeFolder,
  type Site,
  type SiteEpisode,
  searchEntries,
  siteFeed,
  siteIndex,
  siteMap,
  siteTags,
} from "./sitePages.js"
export { SiteIndex, type SiteLine, searchScript } from "./siteSearch.js"
export { type FeedItem, type TaggedFeed, type TagOptions, tagFeed } from "./tagFeed.js"
