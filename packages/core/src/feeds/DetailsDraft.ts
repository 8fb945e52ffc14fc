import type { Enclosure } from "./enclosures.js"
import type { AlternateEnclosure, ChapterMark, EpisodeDetails, Person, Soundbite } from "./Feed.js"

/** What was found in one item beyond what a list shows, as its own elements say it; `finish` decides between them. */
export class DetailsDraft {
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

  finish({ url, type, length }: Enclosure, updatedAt: number | null): EpisodeDetails {
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
      updatedAt,
      enclosure: { url, type, length },
      alternateEnclosures: this.alternateEnclosures,
      chaptersFile: this.chaptersFile,
      chapters: this.chapters,
      persons: this.persons,
      soundbites: this.soundbites,
    }
  }
}
