import type { FileHandle } from "node:fs/promises"
import type { ContainerFormat } from "@earmark/core/links"
import type { WorkFailed } from "@earmark/service"
import { Effect } from "effect"
import { readAt } from "./files.js"

/** Boxes on the way to the descriptions of the samples. */
const CONTAINERS = new Set(["trak", "mdia", "minf", "stbl"])
/** Sample entries of sound that only the owner of a key can decode. */
const LOCKED = new Set(["enca", "drms"])
/** Where the header of a handler names what it handles. */
const HANDLED = 8
const MOST_BOXES = 10_000
const LARGEST_INDEX = 256 * 1024 * 1024
const HEADER = 16
/** Version, flags and count before the first sample entry. */
const BEFORE_ENTRIES = 8

/** Whether a container is of the family of MP4 and QuickTime. */
export const isIsoMedia = (format: ContainerFormat): boolean =>
  format === "mp4" || format === "m4a" || format === "mov" || format === "3gp"

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

/** Whether a track is of sound, or its sound is locked. */
type Sign = "sound" | "locked"

const signIn = (
  bytes: Buffer,
  { type, inside, end }: { type: string; inside: number; end: number },
): Sign | null => {
  if (type === "hdlr")
    return bytes.toString("latin1", inside + HANDLED, inside + HANDLED + 4) === "soun" ? "sound" : null
  if (type !== "stsd") return null
  const entry = boxAt(bytes, inside + BEFORE_ENTRIES, end)
  return entry !== null && LOCKED.has(entry.type) ? "locked" : null
}

const addSigns = (signs: Set<Sign>, bytes: Buffer, from: number, end: number, depth: number): void => {
  for (let at = from, count = 0; count < MOST_BOXES; count++) {
    const box = boxAt(bytes, at, end)
    if (box === null || box.size < box.header) return
    const inside = at + box.header
    const boxEnd = Math.min(end, at + box.size)
    const sign = signIn(bytes, { type: box.type, inside, end: boxEnd })
    if (sign !== null) signs.add(sign)
    if (CONTAINERS.has(box.type) && depth < CONTAINERS.size) addSigns(signs, bytes, inside, boxEnd, depth + 1)
    at += box.size
  }
}

/** Whether an MP4 or QuickTime file has sound, and whether that is encrypted, by its index. Nothing where there is no index to be found. */
export const signsOfSound = (file: FileHandle, size: number): Effect.Effect<ReadonlySet<Sign>, WorkFailed> =>
  Effect.gen(function* () {
    const signs = new Set<Sign>()
    for (let at = 0, count = 0; at < size && count < MOST_BOXES; count++) {
      const box = boxAt(yield* readAt(file, at, HEADER), 0, size - at)
      if (box === null || box.size < box.header) return signs
      if (box.type === "moov") {
        if (box.size > LARGEST_INDEX) return signs
        const index = yield* readAt(file, at, Math.min(box.size, size - at))
        addSigns(signs, index, box.header, index.length, 0)
        return signs
      }
      at += box.size
    }
    return signs
  })
