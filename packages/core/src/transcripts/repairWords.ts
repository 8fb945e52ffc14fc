import { countGraphemes } from "../text/graphemes.js"
import type { Word } from "./Transcript.js"

/** What a character takes to say, where nothing better is known. */
const MILLISECONDS_PER_CHARACTER = 70
const LONGEST_WORD = 10_000

const isTime = (value: number) => Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER / 2

const wholeStart = (word: Word | undefined): number =>
  word !== undefined && isTime(word.start) ? Math.max(0, Math.round(word.start)) : Number.NaN

/**
 * Marks the starts to believe: the most there are that, taken in reading order, never go back; of two that contradict
 * each other the earlier in reading order. One wild time can then not drag all its neighbours along.
 */
const believedStarts = (starts: Float64Array): Uint8Array => {
  const count = starts.length
  const believed = new Uint8Array(count)
  // heads[k]: the word with the latest start that an ordered run of k + 1 words can begin with.
  const heads = new Int32Array(count)
  const after = new Int32Array(count).fill(-1)
  let longest = 0
  const headStart = (run: number) => starts[heads[run] ?? 0] ?? 0
  for (let at = count - 1; at >= 0; at--) {
    const start = starts[at] ?? Number.NaN
    if (Number.isNaN(start)) continue
    let run = longest
    if (longest > 0 && start > headStart(longest - 1)) {
      let low = 0
      run = longest - 1
      while (low < run) {
        const middle = (low + run) >> 1
        if (headStart(middle) < start) run = middle
        else low = middle + 1
      }
    }
    after[at] = run > 0 ? (heads[run - 1] ?? -1) : -1
    heads[run] = at
    if (run === longest) longest++
  }
  for (let at = longest > 0 ? (heads[longest - 1] ?? -1) : -1; at >= 0; at = after[at] ?? -1) believed[at] = 1
  return believed
}

/** How long a word may be thought to last, when it decides where the next one goes. */
const typicalLength = (word: Word): number => {
  const length = word.end - word.start
  return length > 0 && length <= LONGEST_WORD
    ? length
    : Math.min(LONGEST_WORD, Math.max(1, countGraphemes(word.text) * MILLISECONDS_PER_CHARACTER))
}

/** Places words whose times are not believed one after the other, between `from` and the start of the next word. */
const place = (words: ReadonlyArray<Word>, from: number, next: number): ReadonlyArray<number> => {
  const first = Math.min(from, next - words.length)
  const lengths = words.map(typicalLength)
  const wanted = lengths.reduce((sum, length) => sum + length, 0)
  const scale = Math.min(1, Math.max(0, next - first) / wanted)
  let passed = 0
  return lengths.map((length) => {
    const start = Math.floor(first + passed * scale)
    passed += length
    return start
  })
}

const mendStarts = (words: ReadonlyArray<Word>, starts: Float64Array) => {
  const believed = believedStarts(starts)
  let free = 0
  for (let from = 0; from < words.length; ) {
    let to = from
    while (to < words.length && believed[to] !== 1) to++
    if (to > from)
      starts.set(place(words.slice(from, to), free, starts[to] ?? Number.POSITIVE_INFINITY), from)
    const word = words[to]
    if (word !== undefined) free = Math.round((starts[to] ?? 0) + typicalLength(word))
    from = to + 1
  }
}

const orderedStarts = (words: ReadonlyArray<Word>): Float64Array => {
  const starts = Float64Array.from(words, wholeStart)
  let ordered = true
  for (let at = 0; at < starts.length && ordered; at++) {
    const start = starts[at] ?? Number.NaN
    ordered = at === 0 ? !Number.isNaN(start) : start >= (starts[at - 1] ?? 0)
  }
  if (!ordered) mendStarts(words, starts)
  let least = 0
  for (let at = 0; at < starts.length; at++) {
    starts[at] = Math.max(starts[at] ?? 0, least)
    least = (starts[at] ?? 0) + 1
  }
  return starts
}

/**
 * Puts word times right without losing or moving a word: starts rise strictly from 0, every word lasts at least
 * a millisecond, and no word runs into the next one of its speaker. Times that contradict most of the others, or are
 * missing (not a number), are placed between their neighbours. Words that are right already come back as they are.
 */
export const repairWords = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const starts = orderedStarts(words)
  return words.map((word, at) => {
    const start = starts[at] ?? 0
    const given = isTime(word.end) ? Math.round(word.end) : start + typicalLength(word)
    const next = words[at + 1]
    let end = Math.max(given, start + 1)
    if (next !== undefined && next.speaker === word.speaker) end = Math.min(end, starts[at + 1] ?? end)
    return start === word.start && end === word.end ? word : { ...word, start, end }
  })
}
