import { SAMPLE_RATE, SAMPLES_PER_MILLISECOND } from "./samples.js"

const FRAME = 10 * SAMPLES_PER_MILLISECOND
const QUIET_FRAMES = (0.2 * SAMPLE_RATE) / FRAME

const frameEnergies = (samples: Int16Array, count: number): Float64Array => {
  const energies = new Float64Array(count)
  for (let frame = 0, at = 0; frame < count; frame++) {
    let sum = 0
    for (const end = at + FRAME; at < end; at++) {
      const sample = samples[at] ?? 0
      sum += sample * sample
    }
    energies[frame] = sum
  }
  return energies
}

/**
 * Where speech is best cut in two: the middle of the quietest 0.2 seconds, on a whole millisecond. Of several equally quiet
 * places the one nearest to the middle. Too short to look for one: the middle.
 */
export const quietestCut = (samples: Int16Array): number => {
  const frames = Math.floor(samples.length / FRAME)
  const middle = Math.floor(samples.length / 2 / SAMPLES_PER_MILLISECOND) * SAMPLES_PER_MILLISECOND
  if (frames <= QUIET_FRAMES) return middle
  const energies = frameEnergies(samples, frames)
  let sum = 0
  let least = Number.POSITIVE_INFINITY
  let best = middle
  for (let frame = 0; frame < frames; frame++) {
    sum += energies[frame] ?? 0
    if (frame >= QUIET_FRAMES) sum -= energies[frame - QUIET_FRAMES] ?? 0
    if (frame < QUIET_FRAMES - 1) continue
    const cut = (frame + 1 - QUIET_FRAMES / 2) * FRAME
    const isNearer = sum === least && Math.abs(cut - middle) < Math.abs(best - middle)
    if (sum < least || isNearer) {
      least = sum
      best = cut
    }
  }
  return best
}
