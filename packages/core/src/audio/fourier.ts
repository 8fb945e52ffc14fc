/** A Fourier transform in place, of complex arrays whose length is the given power of two, four at least. */
export const makeFourier = (size: number) => {
  const bits = Math.round(Math.log2(size))
  const cosines = Float64Array.from({ length: size / 2 }, (_, index) =>
    Math.cos((2 * Math.PI * index) / size),
  )
  const sines = Float64Array.from({ length: size / 2 }, (_, index) => Math.sin((2 * Math.PI * index) / size))
  const swaps = Uint32Array.from(
    Array.from({ length: size }, (_, index) => {
      let mirrored = 0
      for (let bit = 0; bit < bits; bit++) if ((index >> bit) & 1) mirrored |= 1 << (bits - 1 - bit)
      return mirrored > index ? [index, mirrored] : []
    }).flat(),
  )

  const reverse = (values: Float64Array) => {
    for (let at = 0; at < swaps.length; at += 2) {
      const [one, two] = [swaps[at] ?? 0, swaps[at + 1] ?? 0]
      const kept = values[one] ?? 0
      values[one] = values[two] ?? 0
      values[two] = kept
    }
  }

  /** The steps to spans of two and of four at once: their turns are quarters. */
  const first = (real: Float64Array, imaginary: Float64Array) => {
    for (let at = 0; at < size; at += 4) {
      const [r0, r1, r2, r3] = [real[at] ?? 0, real[at + 1] ?? 0, real[at + 2] ?? 0, real[at + 3] ?? 0]
      const i0 = imaginary[at] ?? 0
      const i1 = imaginary[at + 1] ?? 0
      const i2 = imaginary[at + 2] ?? 0
      const i3 = imaginary[at + 3] ?? 0
      real[at] = r0 + r1 + (r2 + r3)
      imaginary[at] = i0 + i1 + (i2 + i3)
      real[at + 1] = r0 - r1 + (i2 - i3)
      imaginary[at + 1] = i0 - i1 - (r2 - r3)
      real[at + 2] = r0 + r1 - (r2 + r3)
      imaginary[at + 2] = i0 + i1 - (i2 + i3)
      real[at + 3] = r0 - r1 - (i2 - i3)
      imaginary[at + 3] = i0 - i1 + (r2 - r3)
    }
  }

  /** From spans of a quarter of `span` to all of it: two steps at once, so that each number is read and written once for both. */
  const twoSteps = (real: Float64Array, imaginary: Float64Array, span: number) => {
    const quarter = span / 4
    const step = size / span
    for (let offset = 0; offset < quarter; offset++) {
      const cosine = cosines[offset * step] ?? 0
      const sine = sines[offset * step] ?? 0
      const cosineOfTwo = cosines[2 * offset * step] ?? 0
      const sineOfTwo = sines[2 * offset * step] ?? 0
      for (let a = offset; a < size; a += span) {
        const b = a + quarter
        const c = b + quarter
        const d = c + quarter
        const bReal = (real[b] ?? 0) * cosineOfTwo + (imaginary[b] ?? 0) * sineOfTwo
        const bImaginary = (imaginary[b] ?? 0) * cosineOfTwo - (real[b] ?? 0) * sineOfTwo
        const dReal = (real[d] ?? 0) * cosineOfTwo + (imaginary[d] ?? 0) * sineOfTwo
        const dImaginary = (imaginary[d] ?? 0) * cosineOfTwo - (real[d] ?? 0) * sineOfTwo
        const lowReal = (real[a] ?? 0) + bReal
        const lowImaginary = (imaginary[a] ?? 0) + bImaginary
        const highReal = (real[a] ?? 0) - bReal
        const highImaginary = (imaginary[a] ?? 0) - bImaginary
        const sumReal = (real[c] ?? 0) + dReal
        const sumImaginary = (imaginary[c] ?? 0) + dImaginary
        const differenceReal = (real[c] ?? 0) - dReal
        const differenceImaginary = (imaginary[c] ?? 0) - dImaginary
        const turnedReal = sumReal * cosine + sumImaginary * sine
        const turnedImaginary = sumImaginary * cosine - sumReal * sine
        const quarterReal = differenceImaginary * cosine - differenceReal * sine
        const quarterImaginary = -(differenceReal * cosine + differenceImaginary * sine)
        real[a] = lowReal + turnedReal
        imaginary[a] = lowImaginary + turnedImaginary
        real[b] = highReal + quarterReal
        imaginary[b] = highImaginary + quarterImaginary
        real[c] = lowReal - turnedReal
        imaginary[c] = lowImaginary - turnedImaginary
        real[d] = highReal - quarterReal
        imaginary[d] = highImaginary - quarterImaginary
      }
    }
  }

  const lastStep = (real: Float64Array, imaginary: Float64Array) => {
    const half = size / 2
    for (let low = 0; low < half; low++) {
      const high = low + half
      const cosine = cosines[low] ?? 0
      const sine = sines[low] ?? 0
      const turnedReal = (real[high] ?? 0) * cosine + (imaginary[high] ?? 0) * sine
      const turnedImaginary = (imaginary[high] ?? 0) * cosine - (real[high] ?? 0) * sine
      real[high] = (real[low] ?? 0) - turnedReal
      imaginary[high] = (imaginary[low] ?? 0) - turnedImaginary
      real[low] = (real[low] ?? 0) + turnedReal
      imaginary[low] = (imaginary[low] ?? 0) + turnedImaginary
    }
  }

  return (real: Float64Array, imaginary: Float64Array): void => {
    reverse(real)
    reverse(imaginary)
    first(real, imaginary)
    let span = 4
    for (; span * 4 <= size; span *= 4) twoSteps(real, imaginary, span * 4)
    if (span < size) lastStep(real, imaginary)
  }
}
