import { TaggedError } from "effect/Data"

export type SocialSite =
  | "youtube"
  | "tiktok"
  | "instagram"
  | "x"
  | "facebook"
  | "reddit"
  | "vimeo"
  | "twitch"
  | "bluesky"
  | "linkedin"
  | "soundcloud"

export type PodcastApp = "overcast" | "pocketcasts" | "castro" | "podlink" | "podcastindex" | "youtube"

/** What a pasted text is, as far as the text alone tells. `url` is the address to fetch or to show; an upload has none. */
export type Link =
  /** A file by its extension. */
  | { readonly kind: "media"; readonly url: string; readonly extension: string }
  /** Says to be a feed; its bytes decide. A login of the address is apart, ready as an Authorization header. */
  | { readonly kind: "feed"; readonly url: string; readonly authorization: string | null }
  | {
      readonly kind: "apple"
      readonly url: string
      readonly showId: string
      readonly episodeId: string | null
      readonly storefront: string | null
    }
  /** One post of a site; `url` is the one form of all the addresses of that post. */
  | { readonly kind: "social"; readonly url: string; readonly site: SocialSite }
  /** A page of a podcast app, or a channel or playlist. `appleId` and `feedUrl` where the address gives them away. */
  | {
      readonly kind: "page"
      readonly url: string
      readonly app: PodcastApp
      readonly appleId: string | null
      readonly feedUrl: string | null
    }
  /** The `media_ref` of an upload. */
  | {
      readonly kind: "upload"
      readonly mediaRef: string
      readonly account: string
      readonly extension: string
    }
  /** An object of a known object store. Its query may be a signature: it stays whole and out of logs. */
  | { readonly kind: "blob"; readonly url: string }
  /** Anything else on the web: fetch its first bytes and sniff them. */
  | { readonly kind: "web"; readonly url: string; readonly authorization: string | null }

/** Why a text is refused. These names never change; a text for the user is in `message`. */
export type RefusedReason = keyof typeof REFUSALS

type WireCode = "missing_source" | "invalid_request" | "blocked_address" | "source_not_supported"

const REFUSALS = {
  empty: ["missing_source", "This text contains no link. Paste the address of an episode, a feed or a file."],
  too_long: [
    "invalid_request",
    "This link is longer than 8,192 characters; paste the plain address of the source.",
  ],
  several_links: ["invalid_request", "There are several links in this text; paste one at a time."],
  plain_words: [
    "invalid_request",
    "This is text, not a link; search for the podcast in its app and paste the address of the show or episode.",
  ],
  email_address: [
    "invalid_request",
    "This is an e-mail address; paste the address of an episode, a feed or a file.",
  ],
  local_file: [
    "invalid_request",
    "This is a file on your own device, which cannot be read from here; upload it instead.",
  ],
  browser_only: [
    "invalid_request",
    "This address exists only inside your browser; upload the file, or paste the address of the page it is on.",
  ],
  relative: [
    "invalid_request",
    "This is only a part of an address; paste the whole of it, beginning with https://.",
  ],
  scheme: ["invalid_request", "Only http and https links can be read; paste the web address of the source."],
  malformed: ["invalid_request", "This is not a valid web address; copy it again from where you found it."],
  credentials: [
    "invalid_request",
    "Only feeds may carry a user name and password in their address; paste the link without them.",
  ],
  blocked_address: [
    "blocked_address",
    "This address is private, and the server does not open it. Paste a public address or upload the file. Whoever runs the server can allow private addresses.",
  ],
  blocked_port: [
    "blocked_address",
    "Links may use the ports 80, 443 and those from 1024 on; paste one that does.",
  ],
  no_public_audio: [
    "source_not_supported",
    "This service gives out no audio that others can read; paste the RSS or Apple link of the show instead.",
  ],
  live_stream: [
    "source_not_supported",
    "This is a stream or a playlist, not a recording; paste the address of the recorded file or clip.",
  ],
  not_a_post: [
    "source_not_supported",
    "This is a profile or an overview, not a single post; open the post and paste its own address.",
  ],
  not_a_show: [
    "source_not_supported",
    "This Apple link is not a podcast show or episode; open the show in Apple Podcasts and paste its link.",
  ],
} as const satisfies Record<string, readonly [WireCode, string]>

/** A text that cannot be a source. `code` is the code on the wire, `reason` the finer one. Repeats nothing of the text. */
export class LinkRefused extends TaggedError("LinkRefused")<{ readonly reason: RefusedReason }> {
  get code(): WireCode {
    return REFUSALS[this.reason][0]
  }

  override get message() {
    return REFUSALS[this.reason][1]
  }
}
