import { DecoderConfig } from "@earmark/media"
import { text, wholeNumber } from "./kinds.js"
import { setting } from "./Setting.js"

const { defaults } = DecoderConfig

/** How media are got and decoded. */
export const media = {
  ffmpeg: setting("EARMARK_FFMPEG", {
    kind: text,
    otherwise: "ffmpeg",
    sentence:
      "The program that decodes media, by name or path. Without it only WAV files can be transcribed.",
  }),
  ffprobe: setting("EARMARK_FFPROBE", {
    kind: text,
    otherwise: "ffprobe",
    sentence: "The program that inspects media files.",
  }),
  ytDlp: setting("EARMARK_YTDLP", {
    kind: text,
    otherwise: "yt-dlp",
    sentence:
      "The program that downloads clips of social sites. Without it only their public pages are read.",
  }),
  maxMediaBytes: setting("EARMARK_MAX_MEDIA_BYTES", {
    kind: wholeNumber(1),
    otherwise: defaults.maxBytes,
    sentence: "The largest media file that is downloaded.",
  }),
  maxMediaSeconds: setting("EARMARK_MAX_MEDIA_SECONDS", {
    kind: wholeNumber(1),
    otherwise: defaults.maxSeconds,
    sentence: "The longest media that is decoded, even if the plan of an account allows more.",
  }),
}
