import { isLikeMp3, type Mp3Frame, mp3FrameAt, mp3RunFrom } from "@earmark/core/audio"
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

interface Announced {
  readonly frames: number
  readonly bytes: number
}

/** What the first frame says of the whole file, if it is one that was put there for that; null where it does not say all. */
const announcedIn = (sound: Buffer, { samples, isMono }: Mp3Frame): Announced | "none" | null => {
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

/** Where frames like the first end, if all that is left of the bytes is made of them; null otherwise. */
const endOfRun = (bytes: Buffer, like: Mp3Frame): number | null => {
  for (let at = 0; at < Math.min(bytes.length, 2 * like.bytes); at++) {
    const first = mp3FrameAt(bytes, at)
    if (first === null || !isLikeMp3(first, like)) continue
    const { frames, end } = mp3RunFrom(bytes, at, like)
    if (frames >= LEAST_FRAMES && bytes.length - end <= MOST_BEHIND) return Math.min(end, bytes.length)
  }
  return null
}

/** Of a bitrate that is the same at the beginning, in the middle and at the end, the size tells the length. */
const steadyLength = (file: MediaBytes, start: number, first: Mp3Frame) =>
  Effect.gen(function* () {
    const beginning = yield* file.part(start, start + LOOK)
    if (beginning === null || mp3RunFrom(beginning, 0, first).frames < LEAST_FRAMES) return null
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
    const first = sound === null ? null : mp3FrameAt(sound, 0)
    if (sound === null || first === null) return null
    const announced = announcedIn(sound, first)
    if (announced === null) return null
    if (announced === "none") return yield* steadyLength(file, start, first)
    const { frames, bytes } = announced
    // Files that were cut or joined keep the first frame of one of their parts.
    const isOther = Math.abs(file.bytes - start - bytes) > SIZE_TOLERANCE * bytes + MOST_BEHIND
    return frames === 0 || isOther ? null : (frames * first.samples) / first.sampleRate
  })
