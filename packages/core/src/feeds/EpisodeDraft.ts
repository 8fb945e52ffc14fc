import { DetailsDraft } from "./DetailsDraft.js"
import { chooseEnclosure, durationOf, type Enclosure } from "./enclosures.js"
import type { Episode, TranscriptLink } from "./Feed.js"
import type { FeedLimits } from "./limits.js"

/** How much of an item is read: enough to rank it, what a list shows, or all of it. */
export const RANK = 1
export const LIST = 2
export const DETAILS = 3
export type Depth = typeof RANK | typeof LIST | typeof DETAILS

/** What was found in one item so far, as its own elements say it; `finish` decides between them. */
export class EpisodeDraft {
  title: string | null = null
  itunesTitle: string | null = null
  guid: string | null = null
  id: string | null = null
  /** A guid is an address of the episode unless it says otherwise. */
  isPermaLink = true
  link: string | null = null
  alternateLink: string | null = null
  pubDate: number | null = null
  published: number | null = null
  dublinCoreDate: number | null = null
  updated: number | null = null
  duration: number | null = null
  image: string | null = null
  thumbnail: string | null = null
  /** Items without content that stand inside this one. */
  emptyItems = 0
  readonly enclosures: Array<Enclosure> = []
  readonly transcripts: Array<TranscriptLink> = []

  readonly depth: Depth
  readonly details: DetailsDraft | null

  constructor(depth: Depth) {
    this.depth = depth
    this.details = depth === DETAILS ? new DetailsDraft() : null
  }

  publishedAt(): number | null {
    return this.pubDate ?? this.published ?? this.dublinCoreDate ?? this.updated
  }

  isPlayable(): boolean {
    return chooseEnclosure(this.enclosures) !== null
  }

  /** The episode, its index still 0; null when nothing in the item is playable. */
  finish(limits: FeedLimits): Episode | null {
    const enclosure = chooseEnclosure(this.enclosures)
    if (enclosure === null) return null
    const guid = this.guid ?? this.id
    return {
      index: 0,
      title: cut(this.title ?? this.itunesTitle, limits.title),
      guid: guid === null || guid.length > limits.guid ? enclosure.url : guid,
      publishedAt: this.publishedAt(),
      durationSeconds: this.duration ?? durationOf(enclosure, this.enclosures),
      audioUrl: enclosure.url,
      link: this.link ?? this.alternateLink ?? this.#permaLink(),
      image: this.image ?? this.thumbnail,
      transcripts: this.transcripts,
      details: this.details === null ? null : this.details.finish(enclosure, this.updated),
    }
  }

  #permaLink() {
    return this.isPermaLink && this.guid !== null && /^https?:\/\//i.test(this.guid) ? this.guid : null
  }
}

/** Never cuts a character in two, and copies what is left: the whole text is not kept alive for it. */
const cut = (text: string | null, limit: number) => {
  if (text === null || text.length <= limit) return text
  return Buffer.from(text.slice(0, limit).replace(/[\ud800-\udbff]$/, "")).toString()
}
