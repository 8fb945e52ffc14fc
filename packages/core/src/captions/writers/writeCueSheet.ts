import type { CueSheet } from "./CueSheet.js"
import type { ExportFormat } from "./exportFormats.js"
import { writeAss } from "./writeAss.js"
import { writePodcastJson } from "./writePodcastJson.js"
import { writeSrt } from "./writeSrt.js"
import { writeTtml } from "./writeTtml.js"
import { writeVtt } from "./writeVtt.js"

const writers = {
  srt: writeSrt,
  vtt: writeVtt,
  podcast_json: writePodcastJson,
  ass: writeAss,
  ttml: writeTtml,
} as const

export type CueFormat = keyof typeof writers

export const isCueFormat = (format: ExportFormat): format is CueFormat => Object.hasOwn(writers, format)

/** Few enough cues that a chunk is small, enough that joining and encoding them is quick. */
const MOST_CUES = 1024

/** The text of a cue format, in chunks. */
export function* writeCueSheet(format: CueFormat, sheet: CueSheet): Generator<string> {
  const writer = writers[format](sheet)
  let chunk = writer.head
  let count = 0
  for (const cue of writer.cues) {
    chunk += writer.cue(cue)
    if (++count === MOST_CUES) {
      yield chunk
      chunk = ""
      count = 0
    }
  }
  chunk += writer.tail()
  if (chunk !== "") yield chunk
}
