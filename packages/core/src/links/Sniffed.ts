/** Containers and raw streams of media, by the names that a decoder knows them by. */
export type ContainerFormat =
  | "mp3"
  | "aac"
  | "m4a"
  | "mp4"
  | "mov"
  | "3gp"
  | "wav"
  | "w64"
  | "ogg"
  | "flac"
  | "webm"
  | "matroska"
  | "amr"
  | "aiff"
  | "caf"
  | "asf"
  | "avi"
  | "flv"
  | "mpegps"
  | "mpegts"
  | "ac3"
  | "au"
  | "wavpack"

/** What a text is. `feed` may still turn out to be none: only its reader knows. */
export type TextKind =
  | { readonly kind: "feed"; readonly format: "xml" | "json" }
  | { readonly kind: "page" }
  | { readonly kind: "captions"; readonly format: "vtt" | "srt" | "ttml" | "ass" | "json" }
  /** A list of files or streams, which is never handed to a decoder. */
  | { readonly kind: "playlist"; readonly format: "m3u" | "pls" | "xml" }
  | { readonly kind: "image" | "document"; readonly format: string }
  | { readonly kind: "text" }

/** What the first bytes of a file are. Nothing that a server says about them counts. */
export type Sniffed =
  | { readonly kind: "empty" | "unknown" | "torrent" }
  | { readonly kind: "media"; readonly format: ContainerFormat }
  /** Unpack and sniff again. */
  | { readonly kind: "gzip" }
  | { readonly kind: "archive" | "image" | "document"; readonly format: string }
  | TextKind
