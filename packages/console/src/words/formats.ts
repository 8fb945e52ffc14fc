/** What formats of export are called. */
export const FORMAT_NAMES = {
  srt: "SubRip (srt)",
  vtt: "WebVTT (vtt)",
  txt: "Text (txt)",
  md: "Markdown (md)",
  docx: "Word (docx)",
  html: "Web page (html)",
  json: "JSON",
  csv: "Table (csv)",
  tsv: "Table (tsv)",
  chapters: "Chapters (json)",
  podcast_json: "Podcast transcript (json)",
} as const
