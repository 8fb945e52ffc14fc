const TYPES: Readonly<Record<string, string>> = {
  "3gp": "video/3gpp",
  aac: "audio/aac",
  ac3: "audio/ac3",
  aif: "audio/aiff",
  aiff: "audio/aiff",
  amr: "audio/amr",
  au: "audio/basic",
  avi: "video/x-msvideo",
  flac: "audio/flac",
  flv: "video/x-flv",
  m4a: "audio/mp4",
  m4b: "audio/mp4",
  m4v: "video/x-m4v",
  mka: "audio/matroska",
  mkv: "video/x-matroska",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  mpeg: "video/mpeg",
  mpg: "video/mpeg",
  oga: "audio/ogg",
  ogg: "application/ogg",
  ogv: "video/ogg",
  opus: "audio/opus",
  ts: "video/mp2t",
  wav: "audio/wav",
  webm: "video/webm",
  wma: "audio/x-ms-wma",
  wmv: "video/x-ms-wmv",
}

/** The media type of a file by its name; null when the name does not tell. */
export const mediaTypeOf = (filename: string): string | null => {
  const extension = /\.([A-Za-z0-9]+)$/.exec(filename)?.[1]?.toLowerCase() ?? ""
  return Object.hasOwn(TYPES, extension) ? (TYPES[extension] ?? null) : null
}
