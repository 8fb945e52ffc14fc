const SMALL: Readonly<Record<string, number>> = Object.fromEntries(
  (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
    "eighteen nineteen"
  )
    .split(" ")
    .map((word, value) => [word, value]),
)
const TENS: Readonly<Record<string, number>> = Object.fromEntries(
  "twenty thirty forty fifty sixty seventy eighty ninety"
    .split(" ")
    .map((word, index) => [word, 10 * (index + 2)]),
)
const SCALES: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 }

interface Reading {
  readonly value: number
  /** How many words it took. */
  readonly words: number
}

const own = (record: Readonly<Record<string, number>>, word: string | undefined) =>
  word !== undefined && Object.hasOwn(record, word) ? record[word] : undefined

/** One to ninety-nine. */
const readTens = (words: ReadonlyArray<string>, at: number): Reading | undefined => {
  const ten = own(TENS, words[at])
  if (ten === undefined) {
    const small = own(SMALL, words[at])
    return small === undefined ? undefined : { value: small, words: 1 }
  }
  const one = own(SMALL, words[at + 1])
  return one !== undefined && one > 0 && one < 10 ? { value: ten + one, words: 2 } : { value: ten, words: 1 }
}

/** One to nine hundred ninety-nine, with or without "and". */
const readHundreds = (words: ReadonlyArray<string>, at: number): Reading | undefined => {
  const count = readTens(words, at)
  if (count === undefined || words[at + count.words] !== "hundred" || count.value === 0) return count
  const used = count.words + 1
  const joined = words[at + used] === "and" ? used + 1 : used
  const rest = readTens(words, at + joined)
  return rest === undefined
    ? { value: count.value * 100, words: used }
    : { value: count.value * 100 + rest.value, words: joined + rest.words }
}

const readNumber = (words: ReadonlyArray<string>, at: number): Reading | undefined => {
  let used = 0
  let value = 0
  let lowest = Number.POSITIVE_INFINITY
  for (;;) {
    const joined = used > 0 && words[at + used] === "and" ? used + 1 : used
    const group = readHundreds(words, at + joined)
    if (group === undefined) break
    const scale = own(SCALES, words[at + joined + group.words])
    if (scale === undefined) {
      // "Two thousand five" goes on; "twenty ten" is two numbers.
      return lowest === Number.POSITIVE_INFINITY && used > 0
        ? { value, words: used }
        : { value: value + group.value, words: joined + group.words }
    }
    if (scale >= lowest) break
    value += group.value * scale
    lowest = scale
    used = joined + group.words + 1
  }
  return used === 0 ? undefined : { value, words: used }
}

/** English number words become digits: "twenty five" and "25" are one and the same word. Takes lower-case words. */
export const digitsOf = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const digits: Array<string> = []
  for (let at = 0; at < words.length; ) {
    const number = readNumber(words, at)
    digits.push(number === undefined ? (words[at] ?? "") : String(number.value))
    at += number?.words ?? 1
  }
  return digits
}
