import type { Link } from "./Link.js"

const VIDEO_ID = /^[\w-]{11}$/
const LIST_ID = /^[\w-]{12,64}$/
const CHANNEL_ID = /^UC[\w-]{22}$/
/** Names may have letters of any script, which an address has as percent signs. */
const HANDLE = /^@[\w%.-]*[\w%]$/
const NAME = /^[\w%.-]*[\w%]$/
const VIDEO_FOLDERS: ReadonlySet<string> = new Set(["shorts", "live", "embed", "v", "e"])
const FEED = "https://www.youtube.com/feeds/videos.xml"

/** A video, or a channel or playlist with its Atom feed. Undefined when the address is neither. */
export const readYoutube = (url: URL, host: string, segments: ReadonlyArray<string>): Link | undefined => {
  const [first = "", second = ""] = segments
  const inPath = host === "youtu.be" ? first : VIDEO_FOLDERS.has(first.toLowerCase()) ? second : ""
  const video = [url.searchParams.get("v") ?? "", inPath].find(
    (id) => VIDEO_ID.test(id) && id !== "videoseries",
  )
  if (video !== undefined)
    return { kind: "social", site: "youtube", url: `https://www.youtube.com/watch?v=${video}` }
  const list = url.searchParams.get("list") ?? url.searchParams.get("playlist_id") ?? ""
  if (LIST_ID.test(list))
    return page(`https://www.youtube.com/playlist?list=${list}`, `${FEED}?playlist_id=${list}`)
  const channel = first === "channel" ? second : (url.searchParams.get("channel_id") ?? "")
  if (CHANNEL_ID.test(channel)) {
    return page(`https://www.youtube.com/channel/${channel}`, `${FEED}?channel_id=${channel}`)
  }
  // The page of a handle names the channel; the address does not.
  if (HANDLE.test(first)) return page(`https://www.youtube.com/${first}`, null)
  return (first === "c" || first === "user") && NAME.test(second)
    ? page(`https://www.youtube.com/${first}/${second}`, null)
    : undefined
}

const page = (url: string, feedUrl: string | null): Link => ({
  kind: "page",
  app: "youtube",
  url,
  appleId: null,
  feedUrl,
})
