import type { Cursor } from "./Cursor.js"
import { chooseEnclosure, type Enclosure } from "./enclosures.js"
import type {
  AlternateEnclosure,
  ChapterMark,
  Episode,
  EpisodeDetails,
  Person,
  Soundbite,
  TranscriptLink,
} from "./Feed.js"
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
  mediaDuration: number | null = null
  image: string | null = null
  thumbnail: string | null = null
  /** Items without content that stand inside this one. */
  emptyItems = 0
  readonly enclosures: Array<Enclosure> = []
  readonly transcripts: Array<TranscriptLink> = []

  encodedContent: string | null = null
  description: string | null = null
  summary: string | null = null
  atomSummary: string | null = null
  subtitle: string | null = null
  itunesAuthor: string | null = null
  author: string | null = null
  explicit: boolean | null = null
  season: number | null = null
  episode: number | null = null
  episodeType: string | null = null
  keywords: ReadonlyArray<string> = []
  chaptersFile: EpisodeDetails["chaptersFile"] = null
  readonly categories: Array<string> = []
  readonly alternateEnclosures: Array<AlternateEnclosure> = []
  readonly chapters: Array<ChapterMark> = []
  readonly persons: Array<Person> = []
  readonly soundbites: Array<Soundbite> = []

  constructor(readonly depth: Depth) {}

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
      durationSeconds: this.duration ?? this.mediaDuration,
      audioUrl: enclosure.url,
      link: this.link ?? this.alternateLink ?? this.#permaLink(),
      image: this.image ?? this.thumbnail,
      transcripts: this.transcripts,
      details: this.depth === DETAILS ? this.#details(enclosure) : null,
    }
  }

  #permaLink() {
    return this.isPermaLink && this.guid !== null && /^https?:\/\//i.test(this.guid) ? this.guid : null
  }

  #details({ url, type, length }: Enclosure): EpisodeDetails {
    const summary = this.summary ?? this.atomSummary
    return {
      description: this.encodedContent ?? this.description ?? summary,
      summary: summary ?? this.description,
      subtitle: this.subtitle,
      author: this.itunesAuthor ?? this.author,
      explicit: this.explicit,
      season: this.season,
      episode: this.episode,
      episodeType: this.episodeType,
      keywords: this.keywords,
      categories: this.categories,
      updatedAt: this.updated,
      enclosure: { url, type, length },
      alternateEnclosures: this.alternateEnclosures,
      chaptersFile: this.chaptersFile,
      chapters: this.chapters,
      persons: this.persons,
      soundbites: this.soundbites,
    }
  }
}

/** One element of an item: what it adds to the draft, and from which depth on it is read. */
export interface ItemField {
  readonly depth: Depth
  readonly read: (element: Cursor, draft: EpisodeDraft) => void
}

export const itemField = (depth: Depth, read: ItemField["read"]): ItemField => ({ depth, read })

/** Never cuts a character in two. */
const cut = (text: string | null, limit: number) =>
  text === null || text.length <= limit ? text : text.slice(0, limit).replace(/[\ud800-\udbff]$/, "")
