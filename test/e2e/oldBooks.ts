/** A podcast on this machine, whose episodes change between tests. */
import { readFileSync } from "node:fs"
import { museum } from "./recordings.js"
import { serveFiles, written } from "./site.js"

/** Days of November, newest first. A title tries to be markup, a path and a device. */
export const EPISODES = [
  [10, `Über "Bücher" &lt;script&gt;alert(1)&lt;/script&gt;`],
  [9, "../../etc: a/b"],
  [3, "The same name"],
  [2, "The same name"],
] as const

/** Serves the podcast to all tests of a file. */
export const serveOldBooks = () => {
  const recording = readFileSync(museum)
  let episodes: ReadonlyArray<readonly [day: number, title: string]> = []
  /** The status of each answer to a request for the feed. */
  const asked: Array<number> = []
  /** Paths that answer 404 for now. */
  const gone = new Set<string>()

  const feed = () =>
    `<?xml version="1.0"?><rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Old &amp; New Books</title><language>en</language>${episodes
      .map(([day, title], index) => {
        const enclosure = `<enclosure url="${base()}/${day}.ogg" type="audio/ogg" length="${recording.length}"/>`
        const text = index === 0 ? "" : `<podcast:transcript url="${base()}/written.vtt" type="text/vtt"/>`
        return `<item><title>${title}</title><guid>g${day}</guid><link>javascript:alert(1)</link><pubDate>${day} Nov 2026 06:00:00 GMT</pubDate><itunes:duration xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">0:37</itunes:duration>${enclosure}${text}</item>`
      })
      .join("")}</channel></rss>`

  const base = serveFiles((url, headers) => {
    if (url === "/feed.xml") {
      const etag = `"${episodes.length}"`
      const status = headers["if-none-match"] === etag ? 304 : 200
      asked.push(status)
      return ["application/rss+xml", status === 304 ? "" : feed(), { status, etag }]
    }
    if (url.endsWith(".ogg") && !gone.has(url)) return ["audio/ogg", recording]
    return url === "/written.vtt" ? ["text/vtt", written] : undefined
  })

  return {
    asked,
    gone,
    feed,
    base,
    address: () => `${base()}/feed.xml`,
    publish: (published: typeof episodes) => {
      episodes = published
    },
  }
}
