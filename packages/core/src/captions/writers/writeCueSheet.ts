import type { Cue } from "../../transcripts/Transcript.js"
import type { CueSheet, CueWriter } from "./CueSheet.js"
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

/** Few enough that a chunk is small, enough that encoding it is quick. */
const CUES_IN_CHUNK = 1024

function* inBatches(cues: Iterable<Cue>): Generator<ReadonlyArray<Cue>> {
  if (Array.isArray(cues)) {
    for (let from = 0; from < cues.length; from += CUES_IN_CHUNK) yield cues.slice(from, from + CUES_IN_CHUNK)
    return
  }
  let batch: Array<Cue> = []
  for (const cue of cues) {
    batch.push(cue)
    if (batch.length === CUES_IN_CHUNK) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/** The text of a cue format, in chunks. */
export function* writeCueSheet(format: CueFormat, sheet: CueSheet): Generator<string> {
  const writer: CueWriter = writers[format](sheet)
  let chunk = writer.head
  for (const batch of inBatches(writer.cues)) {
    const plain = writer.plainCues?.(batch) ?? null
    if (plain !== null) chunk += plain
    else for (const cue of batch) chunk += writer.cue(cue)
    yield chunk
    chunk = ""
  }
  chunk += writer.tail()
  if (chunk !== "") yield chunk
}
