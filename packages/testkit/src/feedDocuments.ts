import type { PodcastEpisode } from "./podcasts.js"

/** How an RSS feed is written; readers must not care. */
export interface RssStyle {
  /** Notes as CDATA, or as escaped text. */
  readonly notes?: "cdata" | "escaped"
  /** The prefix of each namespace. */
  readonly prefixes?: { readonly itunes: string; readonly podcast: string; readonly content: string }
  /** The label in the XML declaration; encoding the text is up to the caller. */
  readonly encoding?: string
  readonly channel?: string
}

// The given instant as publishers print it; no clock is asked.
// @effect-diagnostics-next-line globalDate:off
const dateOf = (instant: number) => new Date(instant)

const escapeXml = (text: string) =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;")

const clock = (seconds: number) =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":")

/** Lengths are written in all the ways that publishers write them. */
const durationText = (seconds: number) => {
  if (seconds % 3 === 0) return String(seconds)
  return seconds % 3 === 1
    ? clock(seconds)
    : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

const USUAL_PREFIXES = { itunes: "itunes", podcast: "podcast", content: "content" }

/** A podcast feed in RSS 2.0 with the iTunes and Podcasting 2.0 namespaces, piece by piece, about 5 KB an episode. */
export function* rssFeed(episodes: Iterable<PodcastEpisode>, style: RssStyle = {}): Generator<string> {
  const { notes = "cdata", prefixes = USUAL_PREFIXES, encoding = "UTF-8", channel = "" } = style
  const { itunes, podcast, content } = prefixes
  yield `<?xml version="1.0" encoding="${encoding}"?>
<rss version="2.0" xmlns:${itunes}="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:${podcast}="https://podcastindex.org/namespace/1.0" xmlns:${content}="http://purl.org/rss/1.0/modules/content/">
<channel>
<title>The Generated Show</title>
<link>https://show.example</link>
<language>en</language>
<${itunes}:author>The Host</${itunes}:author>
<${itunes}:image href="https://images.example/show.jpg"/>
${channel}
`
  for (const episode of episodes) {
    const html = notes === "cdata" ? `<![CDATA[${episode.notes}]]>` : escapeXml(episode.notes)
    const title = escapeXml(episode.title)
    yield `<item>
<title>${title}</title>
<description>${html}</description>
<pubDate>${dateOf(episode.publishedAt).toUTCString().replace("GMT", "+0000")}</pubDate>
<${itunes}:title>${title}</${itunes}:title>
<${itunes}:episodeType>full</${itunes}:episodeType>
<${itunes}:season>1</${itunes}:season>
<${itunes}:author>The Host</${itunes}:author>
<${itunes}:image href="${episode.image}"/>
<${itunes}:subtitle>${title}</${itunes}:subtitle>
<${itunes}:summary>${title} ${title} ${title}</${itunes}:summary>
<${content}:encoded>${html}</${content}:encoded>
<${itunes}:duration>${durationText(episode.durationSeconds)}</${itunes}:duration>
<${itunes}:explicit>no</${itunes}:explicit>
<guid isPermaLink="false">${episode.guid}</guid>
<link>${escapeXml(episode.link)}</link>
<${podcast}:transcript url="${episode.transcriptUrl}" type="text/vtt" language="en"/>
<${podcast}:chapters url="${episode.link}/chapters.json" type="application/json+chapters"/>
<enclosure url="${escapeXml(episode.audioUrl)}" length="30000000" type="audio/mpeg"/>
</item>
`
  }
  yield "</channel>\n</rss>\n"
}

/** The same episodes in Atom 1.0: no length, no transcript. */
export function* atomFeed(episodes: Iterable<PodcastEpisode>): Generator<string> {
  yield `<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n<title>The Generated Show</title>\n<link href="https://show.example"/>\n`
  for (const episode of episodes) {
    const published = dateOf(episode.publishedAt).toISOString()
    yield `<entry>
<title type="text">${escapeXml(episode.title)}</title>
<id>${episode.guid}</id>
<link href="${escapeXml(episode.link)}"/>
<link rel="enclosure" type="audio/mpeg" length="30000000" href="${escapeXml(episode.audioUrl)}"/>
<published>${published}</published>
<updated>${published}</updated>
<content type="html">${escapeXml(episode.notes)}</content>
</entry>
`
  }
  yield "</feed>\n"
}

/** The same episodes in RSS 1.0, where items stand beside the channel. */
export function* rdfFeed(episodes: Iterable<PodcastEpisode>): Generator<string> {
  yield `<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:d="http://purl.org/dc/elements/1.1/">
<channel rdf:about="https://show.example"><title>The Generated Show</title><link>https://show.example</link></channel>
`
  for (const episode of episodes) {
    yield `<item rdf:about="${escapeXml(episode.link)}">
<title>${escapeXml(episode.title)}</title>
<guid isPermaLink="false">${episode.guid}</guid>
<link>${escapeXml(episode.link)}</link>
<d:date>${dateOf(episode.publishedAt).toISOString()}</d:date>
<enclosure url="${escapeXml(episode.audioUrl)}" length="30000000" type="audio/mpeg"/>
</item>
`
  }
  yield "</rdf:RDF>\n"
}

/** The same episodes in JSON Feed 1.1. */
export const jsonFeed = (episodes: Iterable<PodcastEpisode>): string =>
  JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: "The Generated Show",
    home_page_url: "https://show.example",
    items: Array.from(episodes, (episode) => ({
      id: episode.guid,
      title: episode.title,
      url: episode.link,
      image: episode.image,
      date_published: dateOf(episode.publishedAt).toISOString(),
      content_html: episode.notes,
      attachments: [
        {
          url: episode.audioUrl,
          mime_type: "audio/mpeg",
          size_in_bytes: 30_000_000,
          duration_in_seconds: episode.durationSeconds,
        },
      ],
    })),
  })
