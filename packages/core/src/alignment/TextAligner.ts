import { SAMPLES_PER_MILLISECOND } from "../audio/samples.js"
import type { Steps } from "../audio/steps.js"
import { alignWindowSteps, type WindowAlignment, type WordTime } from "./alignWindow.js"
import { DOUBTFUL_MISFIT } from "./misfit.js"
import { makeSoundQueue, type SoundBlock } from "./SoundQueue.js"
import { lengthOfWord } from "./spreadOverSound.js"

/** A word of a text, and the caption that it stands in, where it stands in one. Milliseconds. */
export interface TextWord {
  readonly text: string
  readonly caption?: WordTime
}

/** When a word of a text is said, and whether it was found in the sound. */
export interface FoundWord extends WordTime {
  readonly timing: "aligned" | "estimated"
}

/** Finds a text in a recording of any length, which is given part by part. */
export interface TextAligner {
  /** Takes the next stretch of sound, and finds what can be found by then. Sound between two stretches holds no speech. */
  readonly push: (block: SoundBlock) => Steps<void>
  /** The recording is over: answers one time for each word, or null where the text cannot be found at all. */
  readonly finish: () => Steps<ReadonlyArray<FoundWord> | null>
}

/** So much sound is looked at together, in milliseconds. */
const PART = 90_000
/** Words that end behind this share of a part are looked for again, with what follows them. */
const SETTLED = 0.7
const WORTH_SETTLING = 0.4
/** Nobody says more words in a second. */
const MOST_WORDS_PER_SECOND = 7
/** Captions come up to so much too early or too late. */
const MARGIN = 2000
/** Between captions so far apart nothing is said that has a text. */
const GAP = 5000

/** What is looked for next: words up to `to`, in the sound before `limit`. */
interface Part {
  readonly to: number
  readonly limit: number
  /** More of the text follows, and may be said before `limit`. */
  readonly isOpen: boolean
}

/** The words of captions that come one soon after the other, and when the last of them ends. */
const groupOf = (
  words: ReadonlyArray<TextWord>,
  from: number,
): { readonly to: number; readonly end: number } => {
  let end = words[from]?.caption?.end ?? Number.POSITIVE_INFINITY
  for (let at = from + 1; at < words.length; at++) {
    const start = words[at]?.caption?.start ?? end
    if (start - end > GAP) return { to: at, end: Math.min(end + MARGIN, start - MARGIN) }
    end = Math.max(end, words[at]?.caption?.end ?? end)
  }
  return { to: words.length, end: end + MARGIN }
}

/** How many of the words that were found stay where they are: up to the longest pause in the middle of the part. */
const settledOf = ({ times }: WindowAlignment, length: number): number => {
  let settled = 0
  let longest = -1
  for (const [at, { end }] of times.entries()) {
    if (end > length * SETTLED) break
    const pause = (times[at + 1]?.start ?? end) - end
    if (end >= length * WORTH_SETTLING && pause >= longest) longest = pause
    else if (longest >= 0) continue
    settled = at + 1
  }
  return settled
}

/** Words over a stretch of time, by their lengths. */
const spreadOver = (words: ReadonlyArray<TextWord>, { start, end }: WordTime): ReadonlyArray<FoundWord> => {
  const lengths = words.map(({ text }) => lengthOfWord(text))
  const total = lengths.reduce((sum, length) => sum + length, 0)
  let passed = 0
  const moment = () => Math.round(start + ((end - start) * passed) / total)
  return lengths.map((length) => {
    const begun = moment()
    passed += length
    return { start: begun, end: moment(), timing: "estimated" }
  })
}

/** Words over the times of their captions. */
const withinCaptions = (words: ReadonlyArray<TextWord>): ReadonlyArray<FoundWord> => {
  const found: Array<FoundWord> = []
  for (let from = 0; from < words.length; ) {
    const { caption } = words[from] ?? {}
    let to = from + 1
    while (to < words.length && words[to]?.caption === caption) to += 1
    found.push(...spreadOver(words.slice(from, to), caption ?? { start: 0, end: 0 }))
    from = to
  }
  return found
}

/**
 * Finds the words of a long text part by part. Words with captions are looked for near them. Without captions the text has to be what is
 * said, from its beginning on: what is said beside it may draw words to itself.
 */
export const makeTextAligner = (words: ReadonlyArray<TextWord>): TextAligner => {
  const sound = makeSoundQueue()
  const found: Array<FoundWord> = []
  const hasCaptions = words.length > 0 && words.every(({ caption }) => caption !== undefined)
  let isImpossible = false

  const keep = (more: ReadonlyArray<FoundWord>) => {
    let last = found.at(-1)?.end ?? 0
    for (const { start, end, timing } of more) {
      const begun = Math.max(last, start)
      last = Math.max(begun, end)
      found.push({ start: begun, end: last, timing })
    }
  }

  /** Null while more sound is needed. */
  const nextPart = (isOver: boolean): Part | null => {
    const from = found.length
    if (!hasCaptions) {
      const isLast = isOver && sound.length() <= PART
      if (!isLast && sound.length() < PART) return null
      const most = Math.ceil((PART / 1000) * MOST_WORDS_PER_SECOND)
      const to = isLast ? words.length : Math.min(words.length, from + most)
      return { to, limit: Number.POSITIVE_INFINITY, isOpen: !isLast }
    }
    sound.dropBefore((words[from]?.caption?.start ?? 0) - MARGIN)
    const group = groupOf(words, from)
    const isShort = sound.lengthBefore(group.end) <= PART
    if (isShort)
      return isOver || sound.end() >= group.end ? { to: group.to, limit: group.end, isOpen: false } : null
    if (sound.length() < PART) return null
    const limit = sound.momentAt(PART)
    let to = from + 1
    while (to < group.to && (words[to]?.caption?.start ?? 0) <= limit + MARGIN) to += 1
    return { to, limit, isOpen: true }
  }

  function* align({ to, limit, isOpen }: Part): Steps<void> {
    const from = found.length
    const part = words.slice(from, to)
    const { samples, timeAt } = sound.read(PART, limit)
    const length = samples.length / SAMPLES_PER_MILLISECOND
    const texts = part.map(({ text }) => text)
    const aligned =
      length === 0
        ? null
        : yield* alignWindowSteps(samples, texts, {
            decoy: true,
            isOpen,
            isLoose: !hasCaptions,
          })
    const isDoubtful = aligned === null || (aligned.misfit ?? 1) > DOUBTFUL_MISFIT
    if (isDoubtful && hasCaptions) {
      // Those whose captions the part holds; the first one at least, so that it goes on.
      const held = part.filter(({ caption }, at) => !isOpen || at === 0 || (caption?.end ?? 0) <= limit)
      return keep(withinCaptions(held))
    }
    if (aligned === null) {
      isImpossible = isOpen
      if (!isOpen) keep(spreadOver(part, { start: timeAt(0), end: timeAt(length) }))
      return
    }
    const count = isOpen ? settledOf(aligned, length) : part.length
    keep(
      aligned.times.slice(0, count).map(({ start, end }, at) => ({
        start: timeAt(start),
        end: timeAt(end),
        timing: isDoubtful || aligned.strays?.[at] === true ? "estimated" : "aligned",
      })),
    )
    if (!isOpen) return
    // Where nothing was found, what is heard there is not in the text.
    sound.dropFirst(count > 0 ? (aligned.times[count - 1]?.end ?? 0) : length * WORTH_SETTLING)
  }

  function* work(isOver: boolean): Steps<void> {
    while (found.length < words.length && !isImpossible) {
      const part = nextPart(isOver)
      if (part === null) return
      yield* align(part)
    }
  }

  return {
    push: function* (block) {
      if (found.length === words.length || isImpossible) return
      sound.push(block)
      yield* work(false)
    },
    finish: function* () {
      yield* work(true)
      return isImpossible ? null : found
    },
  }
}
