/** The published transcripts of one feed as lists that a podcast host can take. */
import { escapeMarkup } from "../xml/escapeMarkup.js"
import { type PublishedName, publishedFiles } from "./publishedFiles.js"

/** An episode whose transcript is published. */
export interface PublishedEpisode {
  readonly transcriptionId: string
  readonly guid: string | null
  readonly title: string | null
  readonly language: string | null
  readonly files: ReadonlyArray<{ readonly format: PublishedName; readonly url: string }>
}

/** The address of the feed is not in it: that of a private feed holds a secret. */
export interface PublishedShow {
  readonly episodes: ReadonlyArray<PublishedEpisode>
}

const attribute = (name: string, value: string | null): string =>
  value === null ? "" : ` ${name}="${escapeMarkup(value)}"`

const fileOutline = ({ format, url }: PublishedEpisode["files"][number]): string => {
  const { name, type } = publishedFiles[format]
  const kind = format === "chapters" ? "chapters" : "transcript"
  return `      <outline text="${name}" type="${kind}" mimeType="${type}" url="${escapeMarkup(url)}"/>`
}

/** One outline for each episode with its GUID, and one for each of its files in it. */
export const showOpml = ({ episodes }: PublishedShow): string => {
  const outlines = episodes.flatMap(({ title, guid, language, files }) => [
    `    <outline text="${escapeMarkup(title ?? guid ?? "Untitled")}"${attribute("guid", guid)}${attribute("language", language)}>`,
    ...files.map(fileOutline),
    "    </outline>",
  ])
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<opml version="2.0">',
    "  <head>",
    "    <title>Transcripts</title>",
    "  </head>",
    "  <body>",
    ...outlines,
    "  </body>",
    "</opml>",
    "",
  ].join("\n")
}

/** The same as JSON, with the names of the wire. */
export const showJson = ({ episodes }: PublishedShow) => ({
  episodes: episodes.map(({ transcriptionId, guid, title, language, files }) => ({
    transcription_id: transcriptionId,
    guid,
    title,
    language,
    files: files.map(({ format, url }) => ({ format, type: publishedFiles[format].type, url })),
  })),
})
