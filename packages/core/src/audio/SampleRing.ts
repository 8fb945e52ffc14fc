/** The last part of a long recording. */
export interface SampleRing {
  /** How many samples were ever pushed. */
  readonly total: () => number
  /** The first sample that is still here. */
  readonly oldest: () => number
  readonly push: (samples: Int16Array) => void
  /** A copy of the samples from `start` up to, not including, `end`; they must be here. It is made in `memory` where that is long enough. */
  readonly slice: (start: number, end: number, memory?: Int16Array) => Int16Array
}

/** Keeps the last `capacity` samples; what is older is overwritten. */
export const makeSampleRing = (capacity: number): SampleRing => {
  const kept = new Int16Array(capacity)
  let total = 0

  const push = (samples: Int16Array) => {
    const last = samples.length > capacity ? samples.subarray(samples.length - capacity) : samples
    total += samples.length
    const at = (total - last.length) % capacity
    const head = last.subarray(0, capacity - at)
    kept.set(head, at)
    kept.set(last.subarray(head.length), 0)
  }

  const oldest = () => Math.max(0, total - capacity)

  const slice = (start: number, end: number, memory?: Int16Array) => {
    if (start < oldest() || end > total || end < start) {
      throw new RangeError(`Samples ${start} to ${end} are not here, only ${oldest()} to ${total}`)
    }
    const length = end - start
    const part =
      memory !== undefined && memory.length >= length ? memory.subarray(0, length) : new Int16Array(length)
    const at = start % capacity
    const head = kept.subarray(at, Math.min(capacity, at + part.length))
    part.set(head)
    part.set(kept.subarray(0, part.length - head.length), head.length)
    return part
  }

  return { total: () => total, oldest, push, slice }
}
