import type { LengthUnknown } from "@earmark/service"
import { Effect } from "effect"
import type { MediaBytes } from "./farFile.js"

const HEADER = 16
/** Elements before the sound; each that the head does not hold costs a request. */
const MOST_ELEMENTS = 16
const LARGEST = 1024 * 1024

const EBML = 0x1a45dfa3
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const TRACKS = 0x1654ae6b
const CLUSTER = 0x1f43b675
const TIMESTAMP_SCALE = 0x2ad7b1
const DURATION = 0x4489
const TRACK = 0xae
const TRACK_TYPE = 0x83
const SOUND = 2
/** Nanoseconds, where a file does not say. */
const USUAL_SCALE = 1_000_000

interface Element {
  readonly id: number
  /** Where its contents begin and end. */
  readonly body: number
  readonly end: number
}

/** A number with its length in the zeros before it. */
const numberAt = (bytes: Buffer, at: number, keepsMark: boolean) => {
  const first = bytes[at] ?? 0
  const width = Math.clz32(first) - 23
  if (first === 0 || at + width > bytes.length) return null
  let value = keepsMark ? first : first & (0xff >> width)
  for (let next = at + 1; next < at + width; next++) value = value * 256 + (bytes[next] ?? 0)
  const isUnknown = !keepsMark && value === 2 ** (7 * width) - 1
  return { value: isUnknown ? Number.POSITIVE_INFINITY : value, width }
}

const elementAt = (bytes: Buffer, at: number): Element | null => {
  const id = numberAt(bytes, at, true)
  const size = id === null ? null : numberAt(bytes, at + id.width, false)
  if (id === null || size === null) return null
  const body = at + id.width + size.width
  return { id: id.value, body, end: body + size.value }
}

/** The elements in a part of a file, as far as they are whole. */
const elementsIn = (bytes: Buffer): ReadonlyArray<readonly [id: number, body: Buffer]> => {
  const found: Array<readonly [number, Buffer]> = []
  for (let at = 0; at < bytes.length; ) {
    const element = elementAt(bytes, at)
    if (element === null || element.end > bytes.length) break
    found.push([element.id, bytes.subarray(element.body, element.end)])
    at = element.end
  }
  return found
}

const bodyOf = (bytes: Buffer, id: number): Buffer | undefined =>
  elementsIn(bytes).find(([each]) => each === id)?.[1]

const wholeNumber = (bytes: Buffer): number => bytes.reduce((value, byte) => value * 256 + byte, 0)

const secondsIn = (info: Buffer): number | null => {
  const duration = bodyOf(info, DURATION)
  const scale = bodyOf(info, TIMESTAMP_SCALE)
  if (duration === undefined || (duration.length !== 4 && duration.length !== 8)) return null
  const ticks = duration.length === 4 ? duration.readFloatBE(0) : duration.readDoubleBE(0)
  const seconds = (ticks * (scale === undefined ? USUAL_SCALE : wholeNumber(scale))) / 1e9
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null
}

const hasSound = (tracks: Buffer): boolean =>
  elementsIn(tracks).some(
    ([id, track]) => id === TRACK && wholeNumber(bodyOf(track, TRACK_TYPE) ?? Buffer.alloc(0)) === SOUND,
  )

const headerAt = (file: MediaBytes, at: number) =>
  Effect.map(file.part(at, at + HEADER), (bytes) => {
    const element = bytes === null ? null : elementAt(bytes, 0)
    return element === null ? null : { id: element.id, body: at + element.body, end: at + element.end }
  })

/** How long a Matroska or WebM file with sound says it is. Null where it does not say, as what is recorded live does not. */
export const matroskaLength = (file: MediaBytes): Effect.Effect<number | null, LengthUnknown> =>
  Effect.gen(function* () {
    const start = yield* headerAt(file, 0)
    const segment = start === null || start.id !== EBML ? null : yield* headerAt(file, start.end)
    if (segment === null || segment.id !== SEGMENT) return null
    const parts = new Map<number, Buffer>()
    for (let at = segment.body, count = 0; at < file.bytes && count < MOST_ELEMENTS; count++) {
      const element = yield* headerAt(file, at)
      if (element === null || element.id === CLUSTER) return null
      if (element.id === INFO || element.id === TRACKS) {
        if (element.end - element.body > LARGEST) return null
        const body = yield* file.part(element.body, element.end)
        if (body === null) return null
        parts.set(element.id, body)
      }
      const [info, tracks] = [parts.get(INFO), parts.get(TRACKS)]
      if (info !== undefined && tracks !== undefined) return hasSound(tracks) ? secondsIn(info) : null
      at = element.end
    }
    return null
  })
