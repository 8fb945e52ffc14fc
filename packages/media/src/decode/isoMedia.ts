import type { FileHandle } from "node:fs/promises"
import type { WorkFailed } from "@earmark/service"
import { Effect } from "effect"
import { readAt } from "./files.js"

/** Boxes on the way to the descriptions of the samples. */
const CONTAINERS = new Set(["trak", "mdia", "minf", "stbl"])
/** Sample entries of sound that only the owner of a key can decode. */
const LOCKED = new Set(["enca", "drms"])
const MOST_BOXES = 10_000
const LARGEST_INDEX = 256 * 1024 * 1024
const HEADER = 16
/** Version, flags and count before the first sample entry. */
const BEFORE_ENTRIES = 8

interface Box {
  readonly type: string
  readonly size: number
  readonly header: number
}

/** The header of the box at a place; null when it is not whole. A size of 0 reaches to the end. */
export const boxAt = (bytes: Buffer, at: number, end: number): Box | null => {
  if (at + 8 > Math.min(end, bytes.length)) return null
  const type = bytes.toString("latin1", at + 4, at + 8)
  const small = bytes.readUInt32BE(at)
  if (small !== 1) return { type, size: small === 0 ? end - at : small, header: 8 }
  if (at + 16 > bytes.length) return null
  return { type, size: Number(bytes.readBigUInt64BE(at + 8)), header: 16 }
}

const hasLockedEntry = (bytes: Buffer, from: number, end: number, depth: number): boolean => {
  for (let at = from, count = 0; count < MOST_BOXES; count++) {
    const box = boxAt(bytes, at, end)
    if (box === null || box.size < box.header) return false
    const inside = at + box.header
    const boxEnd = Math.min(end, at + box.size)
    if (box.type === "stsd") {
      const entry = boxAt(bytes, inside + BEFORE_ENTRIES, boxEnd)
      if (entry !== null && LOCKED.has(entry.type)) return true
    }
    if (
      CONTAINERS.has(box.type) &&
      depth < CONTAINERS.size &&
      hasLockedEntry(bytes, inside, boxEnd, depth + 1)
    ) {
      return true
    }
    at += box.size
  }
  return false
}

/** Whether the sound of an MP4 or QuickTime file is encrypted, by its index. False where there is no index to be found. */
export const isLocked = (file: FileHandle, size: number): Effect.Effect<boolean, WorkFailed> =>
  Effect.gen(function* () {
    for (let at = 0, count = 0; at < size && count < MOST_BOXES; count++) {
      const box = boxAt(yield* readAt(file, at, HEADER), 0, size - at)
      if (box === null || box.size < box.header) return false
      if (box.type === "moov") {
        if (box.size > LARGEST_INDEX) return false
        const index = yield* readAt(file, at, Math.min(box.size, size - at))
        return hasLockedEntry(index, box.header, index.length, 0)
      }
      at += box.size
    }
    return false
  })
