import { endOfId3, readWavHeader } from "@earmark/core/audio"
import type { ContainerFormat } from "@earmark/core/links"
import { Effect, Either } from "effect"
import { wavFrames } from "../decode/wavFrames.js"
import type { MediaBytes } from "./farFile.js"
import { isoLength } from "./isoLength.js"
import { matroskaLength } from "./matroskaLength.js"
import { mp3Length } from "./mp3Length.js"
import { oggLength } from "./oggLength.js"

const wavLength = ({ head, bytes }: MediaBytes): number | null => {
  const header = Either.getOrNull(readWavHeader(head))
  if (header === null) return null
  const frames = wavFrames(header, bytes)
  return frames > 0 ? frames / header.sampleRate : null
}

/** The rate and the number of samples stand behind the sizes of blocks and frames, across bytes. */
const flacLength = (file: MediaBytes) =>
  Effect.map(file.part(endOfId3(file.head), endOfId3(file.head) + 26), (bytes) => {
    const isFlac = bytes !== null && bytes.length === 26 && bytes.toString("latin1", 0, 4) === "fLaC"
    if (!isFlac || (bytes.readUInt8(4) & 127) !== 0) return null
    const rate = bytes.readUIntBE(18, 3) >> 4
    const samples = (bytes.readUInt8(21) & 15) * 2 ** 32 + bytes.readUInt32BE(22)
    return rate === 0 || samples === 0 ? null : samples / rate
  })

/** How long media is, in seconds, by what its container says in a few places. Null where only a prober can tell. */
export const containerLength = (file: MediaBytes, format: ContainerFormat) => {
  switch (format) {
    case "mp4":
    case "m4a":
    case "mov":
    case "3gp":
      return isoLength(file)
    case "matroska":
    case "webm":
      return matroskaLength(file)
    case "mp3":
      return mp3Length(file, endOfId3(file.head))
    case "ogg":
      return oggLength(file)
    case "flac":
      return flacLength(file)
    case "wav":
      return Effect.succeed(wavLength(file))
    default:
      return Effect.succeed(null)
  }
}
