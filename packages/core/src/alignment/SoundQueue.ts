import { SAMPLES_PER_MILLISECOND } from "../audio/samples.js"

/** A stretch of sound, and where it begins in its recording, in milliseconds. */
export interface SoundBlock {
  readonly start: number
  readonly samples: Int16Array
}

const lengthOf = ({ samples }: SoundBlock) => samples.length / SAMPLES_PER_MILLISECOND
const endOf = (block: SoundBlock) => block.start + lengthOf(block)

/** The same stretch without what lies before a moment. */
const from = (block: SoundBlock, moment: number): SoundBlock => {
  const away = Math.round(moment - block.start)
  return away <= 0
    ? block
    : { start: block.start + away, samples: block.samples.subarray(away * SAMPLES_PER_MILLISECOND) }
}

/** Stretches of sound of one recording, in order, of which the first are forgotten when they were looked at. */
export const makeSoundQueue = () => {
  let blocks: Array<SoundBlock> = []

  /** What of a block lies before a moment, in milliseconds. */
  const before = (block: SoundBlock, moment: number) =>
    Math.max(0, Math.min(lengthOf(block), moment - block.start))

  const lengthBefore = (moment: number) => blocks.reduce((sum, block) => sum + before(block, moment), 0)

  /** The moment of the recording at which so much sound has passed. */
  const momentIn = (list: ReadonlyArray<SoundBlock>, passed: number): number => {
    let left = passed
    for (const block of list) {
      if (left < lengthOf(block)) return block.start + left
      left -= lengthOf(block)
    }
    const last = list.at(-1)
    return last === undefined ? 0 : endOf(last)
  }

  const dropBefore = (moment: number) => {
    blocks = blocks.filter((block) => endOf(block) > moment).map((block) => from(block, moment))
  }

  return {
    /** The samples may be used again by whoever gave them. */
    push: ({ start, samples }: SoundBlock) => void blocks.push({ start, samples: samples.slice() }),
    /** Milliseconds of sound in it. */
    length: () => lengthBefore(Number.POSITIVE_INFINITY),
    lengthBefore,
    /** The moment up to which it was filled. */
    end: () => {
      const last = blocks.at(-1)
      return last === undefined ? 0 : endOf(last)
    },
    momentAt: (passed: number) => momentIn(blocks, passed),
    dropBefore,
    dropFirst: (passed: number) => dropBefore(momentIn(blocks, passed)),
    /** The first so many milliseconds, as far as they lie before a moment, in one piece. */
    read: (most: number, limit: number) => {
      const list: Array<SoundBlock> = []
      let left = Math.round(most)
      for (const block of blocks) {
        const length = Math.min(left, Math.floor(before(block, limit)))
        if (length <= 0) break
        list.push({
          start: block.start,
          samples: block.samples.subarray(0, length * SAMPLES_PER_MILLISECOND),
        })
        left -= length
      }
      const samples = new Int16Array(list.reduce((sum, block) => sum + block.samples.length, 0))
      let filled = 0
      for (const block of list) {
        samples.set(block.samples, filled)
        filled += block.samples.length
      }
      /** Where in the recording a moment of the piece is. */
      const timeAt = (time: number) => Math.round(momentIn(list, time))
      return { samples, timeAt }
    },
  }
}
