export {
  type EpisodeTags,
  episodeTags,
  type PublishedName,
  publishedFiles,
  type TaggedFile,
  tagLines,
} from "./publishedFiles.js"
export { type PublishedEpisode, type PublishedShow, showJson, showOpml } from "./showLists.js"
