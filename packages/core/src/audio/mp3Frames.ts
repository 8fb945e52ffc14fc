/** Frames of MP3 (MPEG 1, 2 and 2.5, layer III), as far as lengths and seeking need them. */

/** Kilobits a second by the number in a header, for layer III. */
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES = [44_100, 48_000, 32_000]

export interface Mp3Frame {
  readonly bytes: number
  readonly samples: number
  readonly sampleRate: number
  /** Bits a second. */
  readonly bitrate: number
  readonly isMono: boolean
}

/** The frame of layer III at a place; null where none begins. */
export const mp3FrameAt = (bytes: Uint8Array, at: number): Mp3Frame | null => {
  if (at + 4 > bytes.length) return null
  const header =
    (((bytes[at] ?? 0) << 24) |
      ((bytes[at + 1] ?? 0) << 16) |
      ((bytes[at + 2] ?? 0) << 8) |
      (bytes[at + 3] ?? 0)) >>>
    0
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

/** Whether two frames are of the same bitrate and the same rate of samples. */
export const isLikeMp3 = (frame: Mp3Frame, other: Mp3Frame) =>
  frame.bitrate === other.bitrate && frame.sampleRate === other.sampleRate

/** How many frames like the first follow each other from a place on, and where they end. */
export const mp3RunFrom = (bytes: Uint8Array, from: number, like: Mp3Frame) => {
  let at = from
  let frames = 0
  for (
    let frame = mp3FrameAt(bytes, at);
    frame !== null && isLikeMp3(frame, like);
    frame = mp3FrameAt(bytes, at)
  ) {
    at += frame.bytes
    frames += 1
  }
  return { frames, end: at }
}

/** How many frames of one bitrate make it a steady one. */
const STEADY_FRAMES = 16

/** Where the sound begins in a file that may begin with an ID3v2 tag. */
export const endOfId3 = (head: Uint8Array): number => {
  const isTag = head[0] === 0x49 && head[1] === 0x44 && head[2] === 0x33
  if (!isTag || head.length < 10) return 0
  const [size6 = 0, size7 = 0, size8 = 0, size9 = 0] = head.subarray(6, 10)
  return 10 + (((size6 & 127) << 21) | ((size7 & 127) << 14) | ((size8 & 127) << 7) | (size9 & 127))
}

const textAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4))

const holdsRunLike = (bytes: Uint8Array, like: Mp3Frame): boolean => {
  for (let at = 0; at < Math.min(bytes.length, 2 * like.bytes + 2); at++) {
    if (mp3RunFrom(bytes, at, like).frames >= STEADY_FRAMES) return true
  }
  return false
}

/**
 * Whether all parts of an MP3 have one bitrate, so that a place in the file tells a moment of the sound. The first part begins with the
 * first frame. A `Xing` or `VBRI` frame says that the bitrate varies, an `Info` frame that it does not.
 */
export const isSteadyMp3 = (parts: ReadonlyArray<Uint8Array>): boolean => {
  const [sound = new Uint8Array(0), ...others] = parts
  const first = mp3FrameAt(sound, 0)
  if (first === null) return false
  const isMpeg1 = first.samples === 1152
  const xing = 4 + (isMpeg1 ? (first.isMono ? 17 : 32) : first.isMono ? 9 : 17)
  if (textAt(sound, xing) === "Xing" || textAt(sound, 36) === "VBRI") return false
  const second = textAt(sound, xing) === "Info" ? mp3FrameAt(sound, first.bytes) : first
  if (second === null) return false
  return [sound.subarray(second === first ? 0 : first.bytes), ...others].every((part) =>
    holdsRunLike(part, second),
  )
}
