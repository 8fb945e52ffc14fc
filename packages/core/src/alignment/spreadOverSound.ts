import { FRAME_MILLISECONDS } from "../audio/frames.js"
import { countGraphemes } from "../text/graphemes.js"
import type { Cepstra } from "./cepstra.js"
import { isVowel, PHONES, type Phone, phonesOf } from "./phones.js"
import { quantile } from "./quantile.js"

interface Stretch {
  readonly start: number
  readonly end: number
}

const LOUD = 0.95
const QUIET = 0.05
/** Sound is louder than this under the loud frames and than that over the quiet ones, in decibel. */
const UNDER_LOUD = 30
const OVER_QUIET = 6
/** Gaps up to this are closed, and sounds shorter than that dropped; in frames. */
const SHORTEST_GAP = 12
const SHORTEST_SOUND = 6

/** Milliseconds that sounds last, roughly. */
const LONG_VOWEL = 120
const SHORT_VOWEL = 70
const HISS = 95
const CONSONANT = 65
/** A letter of which it is not known how it sounds. */
const LETTER = 75
const BEFORE_MARK = 1.3
/** What it costs to end a stretch of sound behind a word without a mark. */
const NO_MARK = 30
/** With more words and stretches than this the words are put over all of the sound at once. */
const MOST_STEPS = 4_000_000

const MARK_BEHIND = /[.,;:!?…。，！？；]$/
const namedAs = (names: string) => new Set(names.split(" ").map((name) => PHONES.indexOf(name)))
const longVowels = namedAs("AA AE AO AW AY EY OW OY UW IY ER")
const hisses = namedAs("S SH CH F TH Z HH")

/** Stretches of sound in milliseconds; the whole where there are none. */
const soundStretches = ({ loudness, frames }: Cepstra, length: number): ReadonlyArray<Stretch> => {
  const limit = Math.max(quantile(loudness, LOUD) - UNDER_LOUD, quantile(loudness, QUIET) + OVER_QUIET)
  const runs: Array<{ start: number; end: number }> = []
  for (let frame = 0; frame < frames; frame++) {
    if ((loudness[frame] ?? 0) <= limit) continue
    const last = runs.at(-1)
    if (last !== undefined && frame - last.end <= SHORTEST_GAP) last.end = frame + 1
    else runs.push({ start: frame, end: frame + 1 })
  }
  const kept = runs.filter(({ start, end }) => end - start >= SHORTEST_SOUND)
  const within = (frame: number) => Math.min(length, frame * FRAME_MILLISECONDS + FRAME_MILLISECONDS)
  return kept.length === 0
    ? [{ start: 0, end: length }]
    : kept.map(({ start, end }) => ({ start: within(start), end: within(end) }))
}

const lengthOfPhone = (phone: Phone): number =>
  isVowel(phone) ? (longVowels.has(phone) ? LONG_VOWEL : SHORT_VOWEL) : hisses.has(phone) ? HISS : CONSONANT

/** How long a word lasts, roughly, in milliseconds. */
export const lengthOfWord = (text: string): number => {
  const phones = phonesOf(text)
  const letters = phones.length > 0 ? 0 : countGraphemes(text.replace(/[^\p{L}\p{N}]/gu, ""))
  const sum = phones.reduce((total, phone) => total + lengthOfPhone(phone), letters * LETTER)
  return Math.max(1, sum) * (MARK_BEHIND.test(text) ? BEFORE_MARK : 1)
}

/** The lengths one after the other over the stretches, drawn out or together so that they fill them. */
const overStretches = (
  lengths: ReadonlyArray<number>,
  stretches: ReadonlyArray<Stretch>,
): ReadonlyArray<Stretch> => {
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const sound = stretches.reduce((sum, { start, end }) => sum + end - start, 0)
  const end = stretches.at(-1)?.end ?? 0
  /** A moment between two stretches is the beginning of the later one for a word that starts there. */
  const momentAt = (passed: number, isStart: boolean): number => {
    let left = (passed / total) * sound
    for (const stretch of stretches) {
      const size = stretch.end - stretch.start
      if (isStart ? left < size - 1e-6 : left <= size + 1e-6) return Math.round(stretch.start + left)
      left -= size
    }
    return end
  }
  let passed = 0
  return lengths.map((length) => {
    const start = momentAt(passed, true)
    passed += length
    return { start, end: Math.max(start, momentAt(passed, false)) }
  })
}

/** How many words go to each stretch: those whose lengths come nearest to those of the sounds, cut rather behind marks. */
const sharesOf = (
  lengths: ReadonlyArray<number>,
  marks: ReadonlyArray<boolean>,
  stretches: ReadonlyArray<Stretch>,
): ReadonlyArray<number> => {
  const words = lengths.length
  const width = words + 1
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const sound = stretches.reduce((sum, { start, end }) => sum + end - start, 0)
  const sums = new Float64Array(width)
  for (let word = 0; word < words; word++)
    sums[word + 1] = (sums[word] ?? 0) + ((lengths[word] ?? 0) * sound) / total
  const costs = new Float64Array((stretches.length + 1) * width).fill(Number.POSITIVE_INFINITY)
  const froms = new Int32Array((stretches.length + 1) * width)
  costs[0] = 0
  for (const [index, { start, end }] of stretches.entries()) {
    const row = (index + 1) * width
    const isLast = index + 1 === stretches.length
    const size = end - start
    for (let to = index + 1; to <= words - (stretches.length - index - 1); to++) {
      const cut = isLast || marks[to - 1] === true ? 0 : NO_MARK
      for (let from = index; from < to; from++) {
        const off = (sums[to] ?? 0) - (sums[from] ?? 0) - size
        const cost = (costs[row - width + from] ?? 0) + (off * off) / (size + 100) + cut
        if (cost >= (costs[row + to] ?? 0)) continue
        costs[row + to] = cost
        froms[row + to] = from
      }
    }
  }
  const shares: Array<number> = []
  for (let index = stretches.length, to = words; index > 0; index--) {
    const from = froms[index * width + to] ?? 0
    shares.unshift(to - from)
    to = from
  }
  return shares
}

/** Words put over the sound by how long they and the sounds last: near the truth, but no fact. Milliseconds. */
export const spreadOverSound = (
  cepstra: Cepstra,
  length: number,
  texts: ReadonlyArray<string>,
): ReadonlyArray<Stretch> => {
  if (texts.length === 0) return []
  const stretches = soundStretches(cepstra, length)
  const lengths = texts.map(lengthOfWord)
  const steps = stretches.length * texts.length * texts.length
  if (stretches.length > texts.length || steps > MOST_STEPS) return overStretches(lengths, stretches)
  const marks = texts.map((text) => MARK_BEHIND.test(text))
  let passed = 0
  return sharesOf(lengths, marks, stretches).flatMap((share, index) => {
    const stretch = stretches[index]
    const part = lengths.slice(passed, passed + share)
    passed += share
    return stretch === undefined ? [] : overStretches(part, [stretch])
  })
}
