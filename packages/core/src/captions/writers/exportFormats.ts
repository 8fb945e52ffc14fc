/** What there is to know of an export format without looking at its writer. */
export interface FormatFacts {
  readonly contentType: string
  /** With its dot. No two formats share one, so that exports of one transcript stand side by side. */
  readonly extension: string
  /** Whether it can show the time of each word. */
  readonly wordLevel: boolean
  /** Whether it is made of cues, so that profiles and line lengths mean something. */
  readonly cues: boolean
  readonly sentence: string
}

/** Every format a transcript can be exported to. */
export const exportFormats = {
  srt: {
    contentType: "application/x-subrip",
    extension: ".srt",
    wordLevel: true,
    cues: true,
    sentence: "SubRip captions; at word level one cue for each word.",
  },
  vtt: {
    contentType: "text/vtt",
    extension: ".vtt",
    wordLevel: true,
    cues: true,
    sentence: "WebVTT captions with voice tags; at word level a time stamp before each word.",
  },
  txt: {
    contentType: "text/plain",
    extension: ".txt",
    wordLevel: true,
    cues: false,
    sentence:
      "Plain paragraphs, one for each turn of a speaker; at word level a line for each word, behind its time.",
  },
  md: {
    contentType: "text/markdown",
    extension: ".md",
    wordLevel: true,
    cues: false,
    sentence:
      "Markdown with title, summary, chapters, speakers and times; at word level a list of the words of each paragraph.",
  },
  json: {
    contentType: "application/json",
    extension: ".json",
    wordLevel: true,
    cues: false,
    sentence: "Everything Earmark knows of the transcript; words at word level only.",
  },
  podcast_json: {
    contentType: "application/json",
    extension: ".podcast.json",
    wordLevel: true,
    cues: true,
    sentence: "The JSON transcript of Podcasting 2.0; at word level one segment for each word.",
  },
  chapters: {
    contentType: "application/json+chapters",
    extension: ".chapters.json",
    wordLevel: false,
    cues: false,
    sentence: "The JSON chapters of Podcasting 2.0.",
  },
  csv: {
    contentType: "text/csv; header=present",
    extension: ".csv",
    wordLevel: true,
    cues: false,
    sentence: "Rows of start, end, speaker and text, times in seconds; safe to open in a spreadsheet.",
  },
  tsv: {
    contentType: "text/tab-separated-values",
    extension: ".tsv",
    wordLevel: true,
    cues: false,
    sentence: "Rows of start, end and text, times in whole milliseconds.",
  },
  html: {
    contentType: "text/html",
    extension: ".html",
    wordLevel: false,
    cues: false,
    sentence: "A whole page with speakers, times and paragraphs; no script, nothing from outside.",
  },
  docx: {
    contentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    extension: ".docx",
    wordLevel: false,
    cues: false,
    sentence: "A document for word processors with title, chapters, speakers and times.",
  },
  ass: {
    contentType: "text/x-ass",
    extension: ".ass",
    wordLevel: true,
    cues: true,
    sentence: "Advanced SubStation Alpha; at word level karaoke times.",
  },
  ttml: {
    contentType: "application/ttml+xml",
    extension: ".ttml",
    wordLevel: false,
    cues: true,
    sentence: "Timed text of the W3C, with the speakers as agents.",
  },
  ctm: {
    contentType: "text/plain",
    extension: ".ctm",
    wordLevel: true,
    cues: false,
    sentence:
      "One line for each word with its time and confidence, as scoring tools read it; the first field is the id at a server, and the title elsewhere.",
  },
  rttm: {
    contentType: "text/plain",
    extension: ".rttm",
    wordLevel: false,
    cues: false,
    sentence:
      "One line for each turn of a speaker, as diarization tools read it; the first field is that of `ctm`.",
  },
} as const satisfies Readonly<Record<string, FormatFacts>>

export type ExportFormat = keyof typeof exportFormats

const isFormat = (name: string): name is ExportFormat => Object.hasOwn(exportFormats, name)

/** Every format that can be written. */
export const exportFormatNames: ReadonlyArray<ExportFormat> = Object.keys(exportFormats).filter(isFormat)
