import type { LengthUnknown } from "@earmark/service"
import { Effect } from "effect"
import { boxAt } from "../decode/isoMedia.js"
import type { MediaBytes } from "./farFile.js"

/** Each box that the head does not hold costs a request. */
const MOST_BOXES = 16
const BOX_HEADER = 16
/** The index begins with its own header. */
const INDEX_HEAD = 4096
const NO_DURATION = 0xffffffff

/** The length in a movie header: its duration, in parts of a second that it names. */
const movieSeconds = (header: Buffer): number | null => {
  const isLong = header.readUInt8(0) === 1
  if (header.length < (isLong ? 32 : 20)) return null
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const duration = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return scale === 0 || duration === 0 || duration >= NO_DURATION * (isLong ? NO_DURATION : 1)
    ? null
    : duration / scale
}

const inIndex = (index: Buffer, from: number): number | null => {
  for (let at = from; at < index.length; ) {
    const box = boxAt(index, at, index.length)
    if (box === null || box.size < box.header) return null
    const inside = index.subarray(at + box.header, at + box.size)
    if (box.type === "mvhd") return inside.length === 0 ? null : movieSeconds(inside)
    at += box.size
  }
  return null
}

/** How long an MP4 or QuickTime file says it is, wherever its index stands. Null where it does not say, or its index cannot be had. */
export const isoLength = (file: MediaBytes): Effect.Effect<number | null, LengthUnknown> =>
  Effect.gen(function* () {
    for (let at = 0, count = 0; at < file.bytes && count < MOST_BOXES; count++) {
      const header = yield* file.part(at, at + BOX_HEADER)
      const box = header === null ? null : boxAt(header, 0, file.bytes - at)
      if (box === null || box.size < box.header) return null
      if (box.type === "moov") {
        const index = yield* file.part(at, at + Math.min(box.size, INDEX_HEAD))
        return index === null ? null : inIndex(index, box.header)
      }
      at += box.size
    }
    return null
  })
