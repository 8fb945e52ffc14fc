/**
 * What a feed says, whatever its format. Texts are decoded and trimmed, addresses absolute where a base is known,
 * dates are milliseconds since 1970 (UTC), and null is "not said".
 */

export type FeedFormat = "rss" | "rdf" | "atom" | "json"

export interface Feed extends Channel {
  readonly format: FeedFormat
  /** Episodes in the feed: items with playable media, built or not. */
  readonly total: number
  /** All items, those without media too. */
  readonly items: number
  /** What came ends before the feed does: there may be more items. Cut-off JSON is no feed at all, so never cut off. */
  readonly isCutOff: boolean
  /** Newest first, undated last, ties in the order of the feed. Only the newest when the reader was asked for those. */
  readonly episodes: ReadonlyArray<Episode>
}

/** What a feed says about the show. */
export interface Channel {
  readonly title: string | null
  readonly link: string | null
  readonly language: string | null
  readonly image: string | null
  readonly author: string | null
  readonly description: string | null
  readonly copyright: string | null
  readonly explicit: boolean | null
  /** `episodic` or `serial` as the publisher wrote it; it changes nothing in the order. */
  readonly type: string | null
  readonly categories: ReadonlyArray<string>
  /** The permanent id of the show (`podcast:guid`). */
  readonly podcastGuid: string | null
  readonly medium: string | null
  /** Whether other platforms may import the show, and whom to ask. */
  readonly locked: { readonly locked: boolean; readonly owner: string | null } | null
  readonly funding: ReadonlyArray<{ readonly url: string; readonly text: string }>
  readonly persons: ReadonlyArray<Person>
  /** No episode will follow. */
  readonly complete: boolean
  /** Where the feed says it lives. */
  readonly selfUrl: string | null
  /** Where the feed has moved to. */
  readonly newFeedUrl: string | null
  /** The page of older episodes: `next`, else `prev-archive`. */
  readonly nextPageUrl: string | null
}

export interface Episode {
  /** 0 is the newest episode. */
  readonly index: number
  readonly title: string | null
  /** The publisher's id as text, else the address of the audio. Not always unique. */
  readonly guid: string
  readonly publishedAt: number | null
  readonly durationSeconds: number | null
  readonly audioUrl: string
  readonly link: string | null
  readonly image: string | null
  readonly transcripts: ReadonlyArray<TranscriptLink>
  /** Null unless the reader was asked for details. */
  readonly details: EpisodeDetails | null
}

/** A transcript that the publisher offers. */
export interface TranscriptLink {
  readonly url: string
  readonly type: string | null
  readonly language: string | null
  /** `captions` when the file is meant for display in time. */
  readonly rel: string | null
}

/** All that a podcast app shows of an episode. */
export interface EpisodeDetails {
  /** The fullest notes there are, as HTML or plain text, as the publisher wrote them. */
  readonly description: string | null
  readonly summary: string | null
  readonly subtitle: string | null
  readonly author: string | null
  readonly explicit: boolean | null
  readonly season: number | null
  /** May be a fraction ("12.5" is a bonus between two). */
  readonly episode: number | null
  readonly episodeType: string | null
  readonly keywords: ReadonlyArray<string>
  readonly categories: ReadonlyArray<string>
  readonly updatedAt: number | null
  /** The media of `audioUrl`. */
  readonly enclosure: { readonly url: string; readonly type: string | null; readonly length: number | null }
  readonly alternateEnclosures: ReadonlyArray<AlternateEnclosure>
  /** A file of chapters. */
  readonly chaptersFile: { readonly url: string; readonly type: string | null } | null
  /** Chapters written into the feed. */
  readonly chapters: ReadonlyArray<ChapterMark>
  readonly persons: ReadonlyArray<Person>
  readonly soundbites: ReadonlyArray<Soundbite>
}

export interface ChapterMark {
  /** Milliseconds from the start of the media. */
  readonly start: number
  readonly title: string
  readonly link: string | null
  readonly image: string | null
}

export interface Person {
  readonly name: string
  readonly role: string | null
  readonly group: string | null
  readonly image: string | null
  readonly link: string | null
}

export interface Soundbite {
  /** Milliseconds from the start of the media. */
  readonly start: number
  /** Milliseconds. */
  readonly duration: number
  readonly title: string | null
}

/** The same episode in another form: smaller, in video, in another place. */
export interface AlternateEnclosure {
  readonly type: string | null
  readonly length: number | null
  readonly bitrate: number | null
  readonly height: number | null
  readonly language: string | null
  readonly title: string | null
  readonly rel: string | null
  readonly isDefault: boolean
  /** Proof that a downloaded file is this one. */
  readonly integrity: { readonly type: string; readonly value: string } | null
  readonly sources: ReadonlyArray<{ readonly uri: string; readonly contentType: string | null }>
}
