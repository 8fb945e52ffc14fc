import type { SocialSite } from "./Link.js"

/** Only so much of a clip is used. */
export const SOCIAL_CLIP_SECONDS = 90

interface Site {
  readonly name: SocialSite
  /** Hosts of posts. Others of the same company (help pages, feeds, file servers) are not listed. */
  readonly hosts: ReadonlyArray<string>
  /** The one address of a post, or undefined for what is no single post. */
  readonly post: (url: URL, segments: ReadonlyArray<string>, host: string) => string | undefined
}

/** One table decides which addresses may ever reach the loader for social sites. */
const SITES: ReadonlyArray<Site> = [
  {
    name: "youtube",
    hosts: ["youtube.com", "youtu.be", "music.youtube.com", "youtube-nocookie.com", "gaming.youtube.com"],
    // Channels and playlists are pages, so this site is read apart.
    post: () => undefined,
  },
  {
    name: "tiktok",
    hosts: ["tiktok.com", "vm.tiktok.com", "vt.tiktok.com"],
    post: (_url, [first = "", second = "", third = ""], host) => {
      if (host !== "tiktok.com") return first === "" ? undefined : `https://${host}/${first}`
      if (first === "t" && second !== "") return `https://www.tiktok.com/t/${second}`
      const video = /^\d+/.exec(first.startsWith("@") ? third : second)?.[0]
      if (video === undefined) return undefined
      const author = first.startsWith("@") ? first : "@"
      return `https://www.tiktok.com/${author}/${second === "photo" ? "photo" : "video"}/${video}`
    },
  },
  {
    name: "instagram",
    hosts: ["instagram.com", "instagr.am"],
    post: (_url, segments) => {
      const at = segments.findIndex((segment) => /^(?:p|reel|reels|tv)$/i.test(segment))
      const code = at < 0 || at > 1 ? undefined : segments[at + 1]
      if (code === undefined || !/^[\w-]{5,64}$/.test(code)) return undefined
      // The code of a shared link is another one; the site itself redirects to the post.
      if (segments[0] === "share") return `https://www.instagram.com/share/${segments[at]}/${code}/`
      return `https://www.instagram.com/${/^reels?$/i.test(segments[at] ?? "") ? "reel" : "p"}/${code}/`
    },
  },
  {
    name: "x",
    hosts: ["x.com", "twitter.com"],
    post: (_url, segments) => {
      const space = segments[0] === "i" && segments[1] === "spaces" ? segments[2] : undefined
      if (space !== undefined) return `https://x.com/i/spaces/${space}`
      const at = segments.findIndex((segment) => segment === "status" || segment === "statuses")
      const id = /^\d+$/.exec(at < 0 ? "" : (segments[at + 1] ?? ""))?.[0]
      return id === undefined ? undefined : `https://x.com/i/status/${id}`
    },
  },
  {
    name: "facebook",
    hosts: ["facebook.com", "fb.watch", "fb.com"],
    post: (url, segments, host) => {
      const [first = "", second = ""] = segments
      if (host === "fb.watch") return first === "" ? undefined : `https://fb.watch/${first}/`
      const inQuery = /^(?:watch|video\.php|watch\.php)$/.test(first) ? url.searchParams.get("v") : null
      const at = segments.indexOf("videos")
      const id =
        inQuery ?? (at < 0 ? undefined : segments.slice(at + 1).findLast((segment) => /^\d+$/.test(segment)))
      if (id !== undefined && /^\d+$/.test(id)) return `https://www.facebook.com/watch/?v=${id}`
      const story = /^(?:story|permalink)\.php$/.test(first) ? url.searchParams.get("story_fbid") : null
      if (story !== null) {
        const named = new URLSearchParams({ story_fbid: story, id: url.searchParams.get("id") ?? "" })
        return `https://www.facebook.com/permalink.php?${named}`
      }
      const isPost =
        second !== "" && !/^(?:groups|pages|events|people|hashtag|help|profile\.php)$/.test(first)
      const isInGroup = segments.includes("posts") || segments.includes("permalink")
      return isPost || isInGroup ? `https://www.facebook.com/${segments.join("/")}` : undefined
    },
  },
  {
    name: "reddit",
    hosts: ["reddit.com", "redd.it", "v.redd.it"],
    post: (_url, segments, host) => {
      const [first = "", second = "", third = "", fourth = ""] = segments
      if (host === "v.redd.it") return first === "" ? undefined : `https://v.redd.it/${first}`
      if (host === "redd.it") return first === "" ? undefined : `https://www.reddit.com/comments/${first}`
      const at = segments.indexOf("comments")
      const id = at < 0 ? undefined : segments[at + 1]
      if (id !== undefined) return `https://www.reddit.com/comments/${id}`
      // Shared links hide the id; the site itself redirects to it.
      return third === "s" && fourth !== ""
        ? `https://www.reddit.com/${first}/${second}/s/${fourth}`
        : undefined
    },
  },
  {
    name: "vimeo",
    hosts: ["vimeo.com", "player.vimeo.com"],
    post: (url, segments) => {
      const folder = segments.findIndex((segment) => segment === "video" || segment === "videos")
      const at = segments.findIndex((segment, index) => index > folder && /^\d+$/.test(segment))
      if (at < 0 || segments[0] === "event") return undefined
      // The second part of an unlisted video is its key.
      const key = [url.searchParams.get("h") ?? "", segments[at + 1] ?? ""].find((part) =>
        /^[0-9a-f]{8,}$/i.test(part),
      )
      return `https://vimeo.com/${segments[at]}${key === undefined ? "" : `/${key}`}`
    },
  },
  {
    name: "twitch",
    hosts: ["twitch.tv", "clips.twitch.tv"],
    post: (url, segments, host) => {
      const at = segments.indexOf("clip")
      const inPath = host === "clips.twitch.tv" && segments[0] !== "embed" ? segments[0] : segments[at + 1]
      const clip = url.searchParams.get("clip") ?? (at < 0 && host === "twitch.tv" ? undefined : inPath)
      return clip !== undefined && /^[\w-]+$/.test(clip) ? `https://clips.twitch.tv/${clip}` : undefined
    },
  },
  {
    name: "bluesky",
    hosts: ["bsky.app"],
    post: (_url, [first, author = "", third, post = ""]) =>
      first === "profile" && third === "post" && post !== ""
        ? `https://bsky.app/profile/${author}/post/${post}`
        : undefined,
  },
  {
    name: "linkedin",
    hosts: ["linkedin.com"],
    post: (_url, segments) =>
      /^(?:posts|feed|video|events|embed)$/.test(segments[0] ?? "") && segments.length > 1
        ? `https://www.linkedin.com/${segments.join("/")}`
        : undefined,
  },
  {
    name: "soundcloud",
    hosts: ["soundcloud.com", "on.soundcloud.com", "snd.sc"],
    post: (_url, segments, host) => {
      const [author = "", track = "", key = ""] = segments
      if (host !== "soundcloud.com") return author === "" ? undefined : `https://${host}/${author}`
      const isList = /^(?:sets|tracks|albums|popular-tracks|likes|reposts|followers|following)$/.test(track)
      const isPlace = /^(?:discover|search|you|stream|charts|pages|tags)$/.test(author)
      if (track === "" || isList || isPlace) return undefined
      // The third part of a private track is its key.
      return `https://soundcloud.com/${author}/${track}${key.startsWith("s-") ? `/${key}` : ""}`
    },
  },
]

const BY_HOST: ReadonlyMap<string, Site> = new Map(
  SITES.flatMap((site) => site.hosts.map((host) => [host, site])),
)

/** Views of the same site: for phones, old designs, languages. */
const VIEW = /^(?:www|m|mobile|mbasic|web|old|new|np|amp|touch|[a-z]{2}|[a-z]{2}-[a-z]{2})\./

const plainHost = (host: string) => (BY_HOST.has(host) ? host : host.replace(VIEW, ""))

/** The social site behind a host name, or undefined: the only hosts whose addresses the loader for social sites may see. */
export const nameOfHost = (host: string): SocialSite | undefined =>
  BY_HOST.get(plainHost(host.toLowerCase().replace(/\.$/, "")))?.name

/** Every host of every social site, without the views for phones and languages. */
export const SOCIAL_HOSTS: ReadonlyMap<string, SocialSite> = new Map(
  [...BY_HOST].map(([host, site]) => [host, site.name]),
)

/** The one address of the post behind any of its addresses; undefined for profiles, overviews and other hosts. */
export const canonicalPost = (
  url: URL,
  segments: ReadonlyArray<string>,
  host: string,
): string | undefined => {
  const plain = plainHost(host)
  return BY_HOST.get(plain)?.post(url, segments, plain)
}
