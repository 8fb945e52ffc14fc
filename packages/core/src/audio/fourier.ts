/** A Fourier transform in place, of complex arrays whose length is the given power of two. */
export const makeFourier = (size: number) => {
  const bits = Math.round(Math.log2(size))
  const cosines = Float64Array.from({ length: size / 2 }, (_, index) =>
    Math.cos((2 * Math.PI * index) / size),
  )
  const sines = Float64Array.from({ length: size / 2 }, (_, index) => Math.sin((2 * Math.PI * index) / size))
  const reversed = Uint32Array.from({ length: size }, (_, index) => {
    let mirrored = 0
    for (let bit = 0; bit < bits; bit++) if ((index >> bit) & 1) mirrored |= 1 << (bits - 1 - bit)
    return mirrored
  })

  const swap = (values: Float64Array) => {
    for (let index = 0; index < size; index++) {
      const other = reversed[index] ?? 0
      if (other <= index) continue
      const kept = values[index] ?? 0
      values[index] = values[other] ?? 0
      values[other] = kept
    }
  }

  return (real: Float64Array, imaginary: Float64Array): void => {
    swap(real)
    swap(imaginary)
    for (let span = 2; span <= size; span *= 2) {
      const half = span / 2
      const step = size / span
      for (let base = 0; base < size; base += span) {
        for (let offset = 0; offset < half; offset++) {
          const cosine = cosines[offset * step] ?? 0
          const sine = sines[offset * step] ?? 0
          const low = base + offset
          const high = low + half
          const highReal = real[high] ?? 0
          const highImaginary = imaginary[high] ?? 0
          const turnedReal = highReal * cosine + highImaginary * sine
          const turnedImaginary = highImaginary * cosine - highReal * sine
          const lowReal = real[low] ?? 0
          const lowImaginary = imaginary[low] ?? 0
          real[high] = lowReal - turnedReal
          imaginary[high] = lowImaginary - turnedImaginary
          real[low] = lowReal + turnedReal
          imaginary[low] = lowImaginary + turnedImaginary
        }
      }
    }
  }
}
