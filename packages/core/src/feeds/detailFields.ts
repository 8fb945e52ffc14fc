import type { Cursor } from "./Cursor.js"
import type { DetailsDraft } from "./DetailsDraft.js"
import {
  readAlternateEnclosure,
  readChaptersFile,
  readPerson,
  readSimpleChapters,
  readSoundbite,
} from "./podcastFields.js"
import { authorName, categoryName } from "./texts.js"
import { keep, readDecimal, readFlag, readWhole, readWords } from "./values.js"

/** What an element of an item adds to the details of its episode. */
type DetailField = (element: Cursor, details: DetailsDraft) => void

const readContent: DetailField = (element, details) => {
  details.encodedContent ??= element.markup()
}

const readSeason: DetailField = (element, details) => {
  details.season ??= readWhole(element.text())
}

const readEpisode: DetailField = (element, details) => {
  details.episode ??= readDecimal(element.text())
}

const readCategory: DetailField = (element, details) => keep(details.categories, categoryName(element))

/** All that a podcast app shows of an episode beyond a list. */
export const detailFields: ReadonlyMap<string, DetailField> = new Map<string, DetailField>([
  ["content:encoded", readContent],
  ["content", readContent],
  [
    "description",
    (element, details) => {
      details.description ??= element.markup()
    },
  ],
  [
    "summary",
    (element, details) => {
      details.atomSummary ??= element.markup()
    },
  ],
  [
    "author",
    (element, details) => {
      details.author ??= authorName(element)
    },
  ],
  [
    "dc:creator",
    (element, details) => {
      details.author ??= element.text()
    },
  ],
  ["category", readCategory],
  ["itunes:category", readCategory],
  [
    "itunes:author",
    (element, details) => {
      details.itunesAuthor ??= element.text()
    },
  ],
  [
    "itunes:summary",
    (element, details) => {
      details.summary ??= element.markup()
    },
  ],
  [
    "itunes:subtitle",
    (element, details) => {
      details.subtitle ??= element.text()
    },
  ],
  [
    "itunes:explicit",
    (element, details) => {
      details.explicit ??= readFlag(element.text())
    },
  ],
  ["itunes:season", readSeason],
  ["itunes:episode", readEpisode],
  [
    "itunes:episodetype",
    (element, details) => {
      details.episodeType ??= element.text()
    },
  ],
  [
    "itunes:keywords",
    (element, details) => {
      details.keywords = readWords(element.text())
    },
  ],
  ["podcast:season", readSeason],
  ["podcast:episode", readEpisode],
  [
    "podcast:chapters",
    (element, details) => {
      details.chaptersFile ??= readChaptersFile(element)
    },
  ],
  ["podcast:person", (element, details) => keep(details.persons, readPerson(element))],
  ["podcast:soundbite", (element, details) => keep(details.soundbites, readSoundbite(element))],
  [
    "podcast:alternateenclosure",
    (element, details) => keep(details.alternateEnclosures, readAlternateEnclosure(element)),
  ],
  ["psc:chapters", (element, details) => readSimpleChapters(element, details.chapters)],
])
