/** What a published transcript consists of, and the tags of Podcasting 2.0 that name its files. */
import type { ExportFormat } from "../captions/writers/exportFormats.js"
import { escapeMarkup } from "../xml/escapeMarkup.js"

interface FileFacts {
  readonly name: string
  /** What writes it. */
  readonly export: ExportFormat
  readonly type: string
}

/** By the format that a publication names. The order is that of the tags: what players show best comes first. */
export const publishedFiles = {
  vtt: { name: "transcript.vtt", export: "vtt", type: "text/vtt" },
  srt: { name: "transcript.srt", export: "srt", type: "application/x-subrip" },
  json: { name: "transcript.json", export: "podcast_json", type: "application/json" },
  html: { name: "transcript.html", export: "html", type: "text/html" },
  chapters: { name: "chapters.json", export: "chapters", type: "application/json+chapters" },
} as const satisfies Readonly<Record<string, FileFacts>>

export type PublishedName = keyof typeof publishedFiles

/** A file at the address that readers use. */
export interface TaggedFile {
  readonly format: PublishedName
  readonly url: string
  readonly language: string | null
}

/** The tags for the `<item>` of a feed. */
export interface EpisodeTags {
  readonly transcripts: ReadonlyArray<string>
  readonly chapters: string | null
}

const transcriptTag = ({ format, url, language }: TaggedFile): string => {
  const attributes = [
    `url="${escapeMarkup(url)}"`,
    `type="${publishedFiles[format].type}"`,
    ...(language === null ? [] : [`language="${escapeMarkup(language)}"`]),
    // Captions have the times that `rel` promises; the page is for readers.
    ...(format === "vtt" || format === "srt" ? ['rel="captions"'] : []),
  ]
  return `<podcast:transcript ${attributes.join(" ")}/>`
}

const chaptersTag = ({ url }: TaggedFile): string =>
  `<podcast:chapters url="${escapeMarkup(url)}" type="${publishedFiles.chapters.type}"/>`

export const episodeTags = (files: ReadonlyArray<TaggedFile>): EpisodeTags => {
  const chapters = files.find(({ format }) => format === "chapters")
  return {
    transcripts: files.filter(({ format }) => format !== "chapters").map(transcriptTag),
    chapters: chapters === undefined ? null : chaptersTag(chapters),
  }
}

/** The tags as the lines of a feed. */
export const tagLines = ({ transcripts, chapters }: EpisodeTags): ReadonlyArray<string> =>
  chapters === null ? transcripts : [...transcripts, chapters]
