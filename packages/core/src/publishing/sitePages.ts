/** The pages of a static site of transcripts beside those of its episodes. Values in, text out. */
import * as DateTime from "effect/DateTime"
import { pageStyle } from "../captions/writers/pageFiles.js"
import { writeHead } from "../captions/writers/writePage.js"
import { mediaTypeOf } from "../jobs/mediaTypes.js"
import { clockOf } from "../text/clockOf.js"
import { escapeMarkup } from "../xml/escapeMarkup.js"
import { episodeTags, type PublishedName, publishedFiles, tagLines } from "./publishedFiles.js"
import { type SiteEntry, searchScript } from "./siteSearch.js"

/** An episode of a site. */
export interface SiteEpisode {
  readonly id: string
  readonly title: string
  readonly guid: string | null
  /** Milliseconds since 1970. */
  readonly publishedAt: number
  readonly durationSeconds: number
  readonly language: string | null
  readonly summary: string | null
  readonly mediaUrl: string | null
  readonly formats: ReadonlyArray<PublishedName>
}

export interface Site {
  readonly title: string
  /** Where the site is, with a slash at its end; null where that is not known. */
  readonly baseUrl: string | null
  readonly episodes: ReadonlyArray<SiteEpisode>
}

/** The folder of an episode, seen from the root of its site. */
export const episodeFolder = ({ id }: Pick<SiteEpisode, "id">): string => `t/${id}/`

const dayOf = ({ publishedAt }: SiteEpisode): string =>
  DateTime.formatIsoDateUtc(DateTime.unsafeMake(publishedAt))

/** What the search shows of each episode, in the order of the site. */
export const searchEntries = ({ episodes }: Site): string =>
  JSON.stringify(
    episodes.map((episode): SiteEntry => [episode.title, episodeFolder(episode), dayOf(episode)]),
  )

const listed = (episode: SiteEpisode): string => {
  const day = dayOf(episode)
  const summary =
    episode.summary === null ? "" : `<br><span dir="auto">${escapeMarkup(episode.summary)}</span>`
  return `<li><a href="${episodeFolder(episode)}transcript.html" dir="auto">${escapeMarkup(episode.title)}</a> <span class="soft"><time datetime="${day}">${day}</time> ${clockOf(episode.durationSeconds)}</span>${summary}</li>\n`
}

/** The front page: a search, and every episode. */
export function* siteIndex({ title, baseUrl, episodes }: Site): Generator<string> {
  const feed =
    baseUrl === null
      ? []
      : [`<link rel="alternate" type="application/rss+xml" href="feed.xml" title="${escapeMarkup(title)}">`]
  yield* writeHead({ title, language: null, style: pageStyle.name, script: searchScript.name, more: feed })
  yield `<body>\n<h1 dir="auto">${escapeMarkup(title)}</h1>\n`
  yield '<input type="search" aria-label="Search" placeholder="Search" autocomplete="off" hidden>\n'
  yield '<p id="state" class="soft" role="status"></p>\n<div id="results"></div>\n<main>\n<ul>\n'
  for (const episode of episodes) yield listed(episode)
  yield "</ul>\n</main>\n</body>\n</html>\n"
}

const addressOf = (baseUrl: string, episode: SiteEpisode, format: PublishedName): string =>
  `${baseUrl}${episodeFolder(episode)}${publishedFiles[format].name}`

/** The tags of an episode of a site. */
export const siteTags = (baseUrl: string, episode: SiteEpisode): ReadonlyArray<string> =>
  tagLines(
    episodeTags(
      episode.formats.map((format) => ({
        format,
        url: addressOf(baseUrl, episode, format),
        language: episode.language,
      })),
    ),
  )

/** Every page of a site, for search engines. */
export const siteMap = (baseUrl: string, { episodes }: Site): string => {
  const pages = episodes.map(
    (episode) =>
      `  <url><loc>${escapeMarkup(addressOf(baseUrl, episode, "html"))}</loc><lastmod>${dayOf(episode)}</lastmod></url>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n  <url><loc>${escapeMarkup(baseUrl)}</loc></url>\n${pages.join("")}</urlset>\n`
}

/** RSS wants a type and a length; nobody has asked the host of the recording for them. */
const enclosureOf = (mediaUrl: string): string => {
  const path = mediaUrl.split(/[?#]/, 1).join("")
  return `<enclosure url="${escapeMarkup(mediaUrl)}" type="${mediaTypeOf(path) ?? "audio/mpeg"}" length="0"/>`
}

const feedItem = (baseUrl: string, episode: SiteEpisode): string => {
  const lines = [
    `<title>${escapeMarkup(episode.title)}</title>`,
    `<link>${escapeMarkup(addressOf(baseUrl, episode, "html"))}</link>`,
    `<guid isPermaLink="false">${escapeMarkup(episode.guid ?? episode.id)}</guid>`,
    `<pubDate>${DateTime.toDateUtc(DateTime.unsafeMake(episode.publishedAt)).toUTCString()}</pubDate>`,
    ...(episode.summary === null ? [] : [`<description>${escapeMarkup(episode.summary)}</description>`]),
    ...(episode.mediaUrl === null ? [] : [enclosureOf(episode.mediaUrl)]),
    ...siteTags(baseUrl, episode),
  ]
  return `    <item>\n${lines.map((line) => `      ${line}\n`).join("")}    </item>\n`
}

/** A feed of the site, for where there is no other. */
export const siteFeed = (baseUrl: string, { title, episodes }: Site): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0">\n  <channel>\n    <title>${escapeMarkup(title)}</title>\n    <link>${escapeMarkup(baseUrl)}</link>\n    <description>${escapeMarkup(title)}</description>\n${episodes.map((episode) => feedItem(baseUrl, episode)).join("")}  </channel>\n</rss>\n`
