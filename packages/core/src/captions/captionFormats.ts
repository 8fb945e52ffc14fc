/** Every kind of file the readers know, by what its content says. */
export const captionFormats = [
  "vtt",
  "srt",
  "sbv",
  "ass",
  "ttml",
  "html",
  "csv",
  "tsv",
  "ctm",
  "txt",
  "json",
  "podcast_json",
  "openai_json",
  "youtube_json3",
  "assemblyai_json",
  "deepgram_json",
  "whisper_cpp_json",
] as const

export type CaptionFormat = (typeof captionFormats)[number]
