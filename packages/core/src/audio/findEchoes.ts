/** Half of the stretch in which loudness is compared, in frames of 20 milliseconds: one frame alone may be a consonant. */
const REACH = 10
/** So many decibels less of its own loudness than another channel: nothing but the other one is heard. */
const FAINT = 15
/** Nothing under this level is a voice. */
const LEAST_LEVEL = 25
/** The share of the frames in which a channel is the loudest one that are no louder than its own voice. */
const OWN_SHARE = 0.9
const LEVELS = 128

const POWERS = Float64Array.from({ length: 256 }, (_, level) => 10 ** (level / 10))

/** Gives the mean level of each channel around each frame. */
const slide = (
  channels: ReadonlyArray<Uint8Array>,
  look: (frame: number, levels: Float64Array) => void,
): void => {
  const length = channels[0]?.length ?? 0
  const sums = new Float64Array(channels.length)
  const levels = new Float64Array(channels.length)
  const change = (frame: number, sign: 1 | -1) => {
    if (frame < 0 || frame >= length) return
    channels.forEach((frames, channel) => {
      sums[channel] = (sums[channel] ?? 0) + sign * (POWERS[frames[frame] ?? 0] ?? 0)
    })
  }
  for (let frame = 0; frame < REACH; frame++) change(frame, 1)
  for (let frame = 0; frame < length; frame++) {
    change(frame + REACH, 1)
    change(frame - REACH - 1, -1)
    const count = Math.min(length, frame + REACH + 1) - Math.max(0, frame - REACH)
    for (let channel = 0; channel < sums.length; channel++)
      levels[channel] = 10 * Math.log10(Math.max(1, (sums[channel] ?? 0) / count))
    look(frame, levels)
  }
}

/** How loud the voice of each channel is, by the frames in which no other one is louder; null where nobody speaks in it. */
const ownLoudness = (channels: ReadonlyArray<Uint8Array>): ReadonlyArray<number | null> => {
  const counts = channels.map(() => new Uint32Array(LEVELS))
  slide(channels, (_, levels) => {
    let loudest = 0
    for (let channel = 1; channel < levels.length; channel++)
      if ((levels[channel] ?? 0) > (levels[loudest] ?? 0)) loudest = channel
    const level = Math.round(levels[loudest] ?? 0)
    const own = counts[loudest]
    if (own !== undefined && level >= LEAST_LEVEL) own[level] = (own[level] ?? 0) + 1
  })
  return counts.map((own) => {
    const all = own.reduce((sum, count) => sum + count, 0)
    let below = 0
    for (let level = 0; level < LEVELS; level++) {
      below += own[level] ?? 0
      if (all > 0 && below >= all * OWN_SHARE) return level
    }
    return null
  })
}

/**
 * For each channel and frame whether it holds nothing but the voice of another channel, heard quietly. Channels are compared by their own
 * loudness, so that a person with a quiet line is not taken for an echo, and neither is one who speaks at the same time. A channel in
 * which nobody ever speaks has no loudness of its own, and nothing is said of it. Levels are in decibels, a byte for each frame.
 */
export const findEchoes = (channels: ReadonlyArray<Uint8Array>): ReadonlyArray<Uint8Array> => {
  const own = ownLoudness(channels)
  const echoes = channels.map(({ length }) => new Uint8Array(length))
  slide(channels, (frame, levels) => {
    own.forEach((loudness, channel) => {
      const level = levels[channel] ?? 0
      if (loudness === null) return
      const isEcho = own.some((other, at) => {
        const louder = (levels[at] ?? 0) - level
        return other !== null && at !== channel && louder > 0 && louder - other + loudness >= FAINT
      })
      const marks = echoes[channel]
      if (isEcho && marks !== undefined) marks[frame] = 1
    })
  })
  return echoes
}
