import type { LengthUnknown } from "@earmark/service"
import { Effect } from "effect"
import type { MediaBytes } from "./farFile.js"

/** How much of the sound is looked at in each place. */
const LOOK = 32 * 1024
/** So many frames with one bitrate make it a steady one. */
const LEAST_FRAMES = 16
/** An ID3v1 tag, or an APE tag with little in it, behind the sound. */
const MOST_BEHIND = 4096
/** By which share a file may be larger or smaller than its first frame says. */
const SIZE_TOLERANCE = 0.01

/** Kilobits a second by the number in a header, for layer III. */
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES = [44_100, 48_000, 32_000]

interface Frame {
  readonly bytes: number
  readonly samples: number
  readonly sampleRate: number
  /** Bits a second. */
  readonly bitrate: number
  readonly isMono: boolean
}

/** The frame of layer III at a place; null where none begins. */
const frameAt = (bytes: Buffer, at: number): Frame | null => {
  if (at + 4 > bytes.length) return null
  const header = bytes.readUInt32BE(at)
  const version = (header >>> 19) & 3
  const isLayer3 = ((header >>> 17) & 3) === 1
  if (header >>> 21 !== 0x7ff || version === 1 || !isLayer3) return null
  const isFirst = version === 3
  const kilobits = (isFirst ? BITRATES_1 : BITRATES_2)[(header >>> 12) & 15] ?? 0
  const base = RATES[(header >>> 10) & 3] ?? 0
  if (kilobits === 0 || base === 0) return null
  const sampleRate = isFirst ? base : base / (version === 2 ? 2 : 4)
  const bitrate = kilobits * 1000
  return {
    bytes: Math.floor(((isFirst ? 144 : 72) * bitrate) / sampleRate) + ((header >>> 9) & 1),
    samples: isFirst ? 1152 : 576,
    sampleRate,
    bitrate,
    isMono: ((header >>> 6) & 3) === 3,
  }
}

interface Announced {
  readonly frames: number
  readonly bytes: number
}

/** What the first frame says of the whole file, if it is one that was put there for that; null where it does not say all. */
const announcedIn = (sound: Buffer, { samples, isMono }: Frame): Announced | "none" | null => {
  const isFirst = samples === 1152
  const xing = 4 + (isFirst ? (isMono ? 17 : 32) : isMono ? 9 : 17)
  if (/^(?:Xing|Info)$/.test(sound.toString("latin1", xing, xing + 4))) {
    const hasBoth = xing + 16 <= sound.length && (sound.readUInt32BE(xing + 4) & 3) === 3
    return hasBoth ? { frames: sound.readUInt32BE(xing + 8), bytes: sound.readUInt32BE(xing + 12) } : null
  }
  const vbri = 36
  if (sound.toString("latin1", vbri, vbri + 4) !== "VBRI") return "none"
  return vbri + 18 > sound.length
    ? null
    : { bytes: sound.readUInt32BE(vbri + 10), frames: sound.readUInt32BE(vbri + 14) }
}

const isLike = (frame: Frame, other: Frame) =>
  frame.bitrate === other.bitrate && frame.sampleRate === other.sampleRate

/** How many frames like the first follow each other from a place on, and where they end. */
const runFrom = (bytes: Buffer, from: number, like: Frame) => {
  let at = from
  let frames = 0
  for (let frame = frameAt(bytes, at); frame !== null && isLike(frame, like); frame = frameAt(bytes, at)) {
    at += frame.bytes
    frames += 1
  }
  return { frames, end: at }
}

/** Where frames like the first end, if all that is left of the bytes is made of them; null otherwise. */
const endOfRun = (bytes: Buffer, like: Frame): number | null => {
  for (let at = 0; at < Math.min(bytes.length, 2 * like.bytes); at++) {
    const first = frameAt(bytes, at)
    if (first === null || !isLike(first, like)) continue
    const { frames, end } = runFrom(bytes, at, like)
    if (frames >= LEAST_FRAMES && bytes.length - end <= MOST_BEHIND) return Math.min(end, bytes.length)
  }
  return null
}

/** Of a bitrate that is the same at the beginning, in the middle and at the end, the size tells the length. */
const steadyLength = (file: MediaBytes, start: number, first: Frame) =>
  Effect.gen(function* () {
    const beginning = yield* file.part(start, start + LOOK)
    if (beginning === null || runFrom(beginning, 0, first).frames < LEAST_FRAMES) return null
    const halfway = Math.floor((start + file.bytes) / 2)
    const middle = yield* file.part(halfway, Math.min(file.bytes, halfway + LOOK))
    if (middle === null || endOfRun(middle, first) === null) return null
    const last = Math.max(start, file.bytes - LOOK)
    const tail = yield* file.part(last, file.bytes)
    const end = tail === null ? null : endOfRun(tail, first)
    return end === null ? null : ((last + end - start) * 8) / first.bitrate
  })

/** How long an MP3 file is whose sound begins at a place: by its first frame, or by its size where that tells. */
export const mp3Length = (file: MediaBytes, start: number): Effect.Effect<number | null, LengthUnknown> =>
  Effect.gen(function* () {
    const sound = yield* file.part(start, start + LOOK)
    const first = sound === null ? null : frameAt(sound, 0)
    if (sound === null || first === null) return null
    const announced = announcedIn(sound, first)
    if (announced === null) return null
    if (announced === "none") return yield* steadyLength(file, start, first)
    const { frames, bytes } = announced
    // Files that were cut or joined keep the first frame of one of their parts.
    const isOther = Math.abs(file.bytes - start - bytes) > SIZE_TOLERANCE * bytes + MOST_BEHIND
    return frames === 0 || isOther ? null : (frames * first.samples) / first.sampleRate
  })
