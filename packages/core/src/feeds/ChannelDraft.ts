import type { Channel, Person } from "./Feed.js"

/** What was found about the show so far, as each element says it; `finish` decides between them. */
export class ChannelDraft {
  title: string | null = null
  link: string | null = null
  alternateLink: string | null = null
  language: string | null = null
  itunesImage: string | null = null
  image: string | null = null
  itunesAuthor: string | null = null
  author: string | null = null
  description: string | null = null
  subtitle: string | null = null
  itunesSummary: string | null = null
  copyright: string | null = null
  explicit: boolean | null = null
  type: string | null = null
  podcastGuid: string | null = null
  medium: string | null = null
  locked: Channel["locked"] = null
  isComplete = false
  selfUrl: string | null = null
  newFeedUrl: string | null = null
  nextUrl: string | null = null
  previousArchiveUrl: string | null = null
  readonly categories: Array<string> = []
  readonly funding: Array<Channel["funding"][number]> = []
  readonly persons: Array<Person> = []

  finish(): Channel {
    return {
      title: this.title,
      link: this.link ?? this.alternateLink,
      language: this.language,
      image: this.itunesImage ?? this.image,
      author: this.itunesAuthor ?? this.author,
      description: this.description ?? this.itunesSummary ?? this.subtitle,
      copyright: this.copyright,
      explicit: this.explicit,
      type: this.type,
      categories: [...new Set(this.categories)],
      podcastGuid: this.podcastGuid,
      medium: this.medium,
      locked: this.locked,
      funding: this.funding,
      persons: this.persons,
      complete: this.isComplete,
      selfUrl: this.selfUrl,
      newFeedUrl: this.newFeedUrl,
      nextPageUrl: this.nextUrl ?? this.previousArchiveUrl,
    }
  }
}
