import type { CueSheet } from "./CueSheet.js"
import type { ExportFormat } from "./exportFormats.js"
import { inChunks } from "./inChunks.js"
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

/** The text of a cue format, in chunks. */
export const writeCueSheet = (format: CueFormat, sheet: CueSheet): Iterable<string> =>
  inChunks(writers[format](sheet))
