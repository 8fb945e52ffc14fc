/** Puts the `count` least values first, in any order, and the next one behind them: much quicker than sorting them all. */
export const leastFirst = (values: Float32Array, count: number): void => {
  let left = 0
  let right = values.length - 1
  while (left < right) {
    const pivot = values[(left + right) >> 1] ?? 0
    let low = left
    let high = right
    while (low <= high) {
      while ((values[low] ?? pivot) < pivot) low += 1
      while ((values[high] ?? pivot) > pivot) high -= 1
      if (low > high) break
      const kept = values[low] ?? 0
      values[low++] = values[high] ?? 0
      values[high--] = kept
    }
    if (count <= high) right = high
    else if (count >= low) left = low
    else return
  }
}

/** The value that this share of all are under. */
export const quantile = (values: Float32Array, share: number): number => {
  const place = Math.min(values.length - 1, Math.floor(values.length * share))
  const copy = values.slice()
  leastFirst(copy, place)
  return copy[place] ?? 0
}
