const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "))

/** Extensions of audio and video files. `ts` is missing on purpose: on the web it is nearly always source code. */
export const MEDIA_EXTENSIONS = setOf(
  "mp3 m4a m4b m4p m4r mp4 m4v mov qt wav wave w64 ogg oga ogv ogx opus spx flac webm weba mkv mka aac adts amr awb " +
    "aif aiff aifc caf wma wmv asf avi mpg mpeg mpga mp2 mp1 mpv m2a m2ts mts 3gp 3gpp 3g2 flv f4v f4a ac3 eac3 au snd ape wv tta",
)

const FEED_EXTENSIONS = setOf("rss xml atom rdf")
const FEED_NAMES = setOf("feed rss feed.json feed.php rss.php podcast.xml")

/** Lists of files and streams: never decoded, since they make the decoder open further addresses. */
const STREAM_EXTENSIONS = setOf("m3u m3u8 mpd pls asx xspf ism isml smil ram")

const OBJECT_STORES = [
  "amazonaws.com",
  "storage.googleapis.com",
  "storage.cloud.google.com",
  "firebasestorage.googleapis.com",
  "blob.core.windows.net",
  "r2.cloudflarestorage.com",
  "r2.dev",
  "blob.vercel-storage.com",
  "digitaloceanspaces.com",
  "backblazeb2.com",
  "wasabisys.com",
  "aliyuncs.com",
  "supabase.co",
]

/** What a path says by its last segment: the extension of media, that it is a feed, a stream, or nothing. */
export const kindOfPath = (
  pathname: string,
):
  | { readonly kind: "media"; readonly extension: string }
  | { readonly kind: "feed" | "stream" | "unknown" } => {
  const path = pathname.endsWith("/") ? pathname.slice(0, -1) : pathname
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  const dot = name.lastIndexOf(".")
  const extension = dot < 0 ? "" : name.slice(dot + 1)
  if (MEDIA_EXTENSIONS.has(extension)) return { kind: "media", extension }
  if (STREAM_EXTENSIONS.has(extension)) return { kind: "stream" }
  return { kind: FEED_EXTENSIONS.has(extension) || FEED_NAMES.has(name) ? "feed" : "unknown" }
}

export const isObjectStore = (host: string): boolean => OBJECT_STORES.some((store) => isOf(host, store))

/** Whether the host is the domain or below it. */
export const isOf = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
