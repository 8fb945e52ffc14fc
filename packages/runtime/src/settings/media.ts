import { DecoderConfig } from "@earmark/media"
import { text, wholeNumber } from "./kinds.js"
import { setting } from "./Setting.js"

const { defaults } = DecoderConfig

/** How media are got and decoded. */
export const media = {
  ffmpeg: setting("EARMARK_FFMPEG", {
    kind: text,
    otherwise: "ffmpeg",
    sentence: "The program that decodes, by name or by path. Without it only WAV files can be heard.",
  }),
  ffprobe: setting("EARMARK_FFPROBE", {
    kind: text,
    otherwise: "ffprobe",
    sentence: "The program that tells what is in a media file.",
  }),
  ytDlp: setting("EARMARK_YTDLP", {
    kind: text,
    otherwise: "yt-dlp",
    sentence: "The program that gets clips of social sites. Without it only their public pages are read.",
  }),
  maxMediaBytes: setting("EARMARK_MAX_MEDIA_BYTES", {
    kind: wholeNumber(1),
    otherwise: defaults.maxBytes,
    sentence: "The largest media file that is fetched.",
  }),
  maxMediaSeconds: setting("EARMARK_MAX_MEDIA_SECONDS", {
    kind: wholeNumber(1),
    otherwise: defaults.maxSeconds,
    sentence: "The longest media that is decoded, whatever an account may.",
  }),
}
