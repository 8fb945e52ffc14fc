import type { LengthUnknown } from "@earmark/service"
import { Effect } from "effect"
import type { MediaBytes } from "./farFile.js"

/** Twice the largest page. */
const LOOK = 128 * 1024
const PAGE = "OggS"
const PAGE_HEADER = 27
/** A stream that was cut out of a longer one begins later than with its first seconds. */
const LATEST_BEGIN = 60

interface Page {
  readonly isFirst: boolean
  /** How many samples are over at its end; null where no packet ends in it. */
  readonly reached: number | null
  readonly serial: number
  readonly body: number
  readonly end: number
}

const NOTHING_ENDS = -1n

const pageAt = (bytes: Buffer, at: number): Page | null => {
  if (at < 0 || at + PAGE_HEADER > bytes.length) return null
  if (bytes.toString("latin1", at, at + 4) !== PAGE || bytes.readUInt8(at + 4) !== 0) return null
  const body = at + PAGE_HEADER + bytes.readUInt8(at + 26)
  const reached = bytes.readBigInt64LE(at + 6)
  const sizes = bytes.subarray(at + PAGE_HEADER, body)
  return {
    isFirst: (bytes.readUInt8(at + 5) & 2) !== 0,
    reached: reached === NOTHING_ENDS ? null : Number(reached),
    serial: bytes.readUInt32LE(at + 14),
    body,
    end: body + sizes.reduce((sum, size) => sum + size, 0),
  }
}

interface Clock {
  readonly rate: number
  /** Samples before the first that is heard. */
  readonly skipped: number
}

/** How a stream counts its samples, by its first packet; null for a codec that counts otherwise. */
const clockOf = (packet: Buffer): Clock | null => {
  const text = packet.toString("latin1", 0, 8)
  if (text === "OpusHead" && packet.length >= 12) return { rate: 48_000, skipped: packet.readUInt16LE(10) }
  if (text.startsWith("\x01vorbis") && packet.length >= 16)
    return { rate: packet.readUInt32LE(12), skipped: 0 }
  return null
}

/** The last place in a stream that its pages tell. */
const lastReached = (tail: Buffer, serial: number): number | null => {
  for (let at = tail.lastIndexOf(PAGE); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(PAGE, at - 1)) {
    const page = pageAt(tail, at)
    if (page === null) continue
    // Another stream behind this one has times of its own.
    if (page.serial !== serial) return null
    if (page.reached !== null) return page.reached
  }
  return null
}

/** Where the sound begins; null where that is not within sight. */
const firstReached = (head: Buffer, from: number, serial: number): number | null => {
  for (let page = pageAt(head, from); page !== null; page = pageAt(head, page.end)) {
    if (page.isFirst || page.serial !== serial) return null
    if (page.reached !== null && page.reached > 0) return page.reached
  }
  return null
}

/** How long an Ogg file with one stream of Opus or Vorbis is, by its last page. */
export const oggLength = (file: MediaBytes): Effect.Effect<number | null, LengthUnknown> =>
  Effect.gen(function* () {
    const head = yield* file.part(0, LOOK)
    const first = head === null ? null : pageAt(head, 0)
    if (head === null || first === null || !first.isFirst) return null
    const clock = clockOf(head.subarray(first.body, first.end))
    const begin = firstReached(head, first.end, first.serial)
    if (clock === null || clock.rate === 0 || begin === null || begin > LATEST_BEGIN * clock.rate) return null
    const tail = yield* file.part(Math.max(0, file.bytes - LOOK), file.bytes)
    const end = tail === null ? null : lastReached(tail, first.serial)
    return end === null || end <= clock.skipped ? null : (end - clock.skipped) / clock.rate
  })
