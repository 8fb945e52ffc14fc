import { parseFeedDuration } from "./durations.js"
import { DETAILS, type ItemField, itemField, LIST } from "./EpisodeDraft.js"
import { categoryName } from "./texts.js"
import { keep, readDecimal, readFlag, readWhole, readWords } from "./values.js"

/** The iTunes namespace. Its `subtitle` and `summary` are texts of their own, apart from the description. */
export const itunesFields: ReadonlyArray<readonly [string, ItemField]> = [
  [
    "itunes:duration",
    itemField(LIST, (element, draft) => {
      draft.duration ??= parseFeedDuration(element.text() ?? "")
    }),
  ],
  [
    "itunes:title",
    itemField(LIST, (element, draft) => {
      draft.itunesTitle ??= element.text()
    }),
  ],
  [
    "itunes:image",
    itemField(LIST, (element, draft) => {
      draft.image ??= element.addressAttribute("href") ?? element.addressAttribute("url")
    }),
  ],
  [
    "itunes:season",
    itemField(DETAILS, (element, draft) => {
      draft.season ??= readWhole(element.text())
    }),
  ],
  [
    "itunes:episode",
    itemField(DETAILS, (element, draft) => {
      draft.episode ??= readDecimal(element.text())
    }),
  ],
  [
    "itunes:episodetype",
    itemField(DETAILS, (element, draft) => {
      draft.episodeType ??= element.text()
    }),
  ],
  [
    "itunes:explicit",
    itemField(DETAILS, (element, draft) => {
      draft.explicit ??= readFlag(element.text())
    }),
  ],
  [
    "itunes:author",
    itemField(DETAILS, (element, draft) => {
      draft.itunesAuthor ??= element.text()
    }),
  ],
  [
    "itunes:subtitle",
    itemField(DETAILS, (element, draft) => {
      draft.subtitle ??= element.text()
    }),
  ],
  [
    "itunes:summary",
    itemField(DETAILS, (element, draft) => {
      draft.summary ??= element.markup()
    }),
  ],
  [
    "itunes:keywords",
    itemField(DETAILS, (element, draft) => {
      draft.keywords = readWords(element.text())
    }),
  ],
  ["itunes:category", itemField(DETAILS, (element, draft) => keep(draft.categories, categoryName(element)))],
]
