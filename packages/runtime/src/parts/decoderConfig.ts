import { DecoderConfig } from "@earmark/media"
import type { Settings } from "../settings/Settings.js"

/** How media are decoded. */
export const decoderConfig = ({
  ffmpeg,
  ffprobe,
  maxMediaBytes: maxBytes,
  maxMediaSeconds: maxSeconds,
}: Settings) => DecoderConfig.layerFound({ ffmpeg, ffprobe, maxBytes, maxSeconds })
