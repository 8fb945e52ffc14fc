/** Voice inside a window in which the engine found no words, although it found some around it. */
import { alignWindowSteps, alignWordsSteps, DOUBTFUL_MISFIT } from "@earmark/core/alignment"
import { warningOf } from "@earmark/core/jobs"
import { fold } from "@earmark/core/text"
import { joinAtSeam, type Span, voiceWithoutWords, type Word } from "@earmark/core/transcripts"
import { Effect } from "effect"
import type { AudioWindow, Recognition, WorkFailed } from "../ports/Speech.js"
import { inSlices } from "./inSlices.js"
import { partOf, voiceIn } from "./windowParts.js"
import type { TimedRecognition } from "./wordTimes.js"

/** Less of a voice than this, in milliseconds, may be a breath, a laugh or a drawn-out word. */
export const SHORTEST_GAP = 1500
/** How much of the sound before and after a gap is heard with it, in milliseconds: its neighbours may stand in it with half a word. */
const REACH = 1000
/** From this misfit on a window is looked at for words that are missing: the others are stretched over their place then. */
const SUSPICIOUS_MISFIT = 0.7
/** With the missing words the text has to fit the window better by this. Words that were there already make it worse. */
const BETTER = 0.01

const SAID = /[\p{L}\p{N}]/u

/** A word without the marks at its end. */
const withoutMarks = (text: string): string => {
  const characters = [...text]
  return characters.slice(0, characters.findLastIndex((each) => SAID.test(each)) + 1).join("")
}

const textsOf = (words: ReadonlyArray<Word>) => words.map(({ text }) => text)

/** A full stop behind the last word, where something may be said that is not in the text. */
const endedBy = (texts: ReadonlyArray<string>) =>
  texts.map((text, at) => (at === texts.length - 1 ? `${withoutMarks(text)}.` : text))

/** Words with the times of an aligner, which counts from the beginning of the window. */
const placedIn = ({ start, end }: AudioWindow, words: ReadonlyArray<Word>, times: ReadonlyArray<Span>) =>
  words.map((word, at) => {
    const time = times[at]
    if (time === undefined) return word
    return { ...word, start: Math.min(end, start + time.start), end: Math.min(end, start + time.end) }
  })

const gapsIn = (window: AudioWindow, words: ReadonlyArray<Word>) =>
  voiceWithoutWords(voiceIn(window), words, SHORTEST_GAP)

const partedAt = (words: ReadonlyArray<Word>, gap: Span) => {
  const isBefore = ({ start, end }: Word) => start + end < gap.start + gap.end
  return [words.filter(isBefore), words.filter((word) => !isBefore(word))] as const
}

/** The words with what is new of others, that were heard in a gap and some way beyond it on both sides. */
const joinedWith = (words: ReadonlyArray<Word>, gap: Span, part: Span, found: ReadonlyArray<Word>) => {
  const [before, after] = partedAt(words, gap)
  const first = joinAtSeam(before, found, { start: part.start, end: gap.start })
  const rest = found.slice(first.right)
  const last = joinAtSeam(rest, after, { start: gap.end, end: part.end })
  const fresh = rest.slice(0, last.left)
  return { fresh, all: [...before.slice(0, first.left), ...fresh, ...after.slice(last.right)] }
}

const keyOf = ({ text }: Word) => withoutMarks(fold(text))

/** Whether half of the words found stand beside the gap already: the words there are only placed wrongly. */
const isSaidBeside = (words: ReadonlyArray<Word>, gap: Span, found: ReadonlyArray<Word>): boolean => {
  const [before, after] = partedAt(words, gap)
  const reach = found.length + 2
  const beside = new Map<string, number>()
  for (const word of [...before.slice(-reach), ...after.slice(0, reach)])
    beside.set(keyOf(word), 1 + (beside.get(keyOf(word)) ?? 0))
  const known = found.filter((word) => {
    const left = beside.get(keyOf(word)) ?? 0
    beside.set(keyOf(word), left - 1)
    return left > 0
  })
  return 2 * known.length >= found.length
}

/**
 * Hears a voice without words again, by itself. What is heard there is kept only where it fits its own sound, and the window with it better
 * than without: nothing is invented, and nothing is said twice. What stays without words is noted as lost.
 */
export const makeMendGaps = <Asked>(
  hear: (window: AudioWindow, asked: Asked) => Effect.Effect<Recognition, WorkFailed>,
  timeWords: (window: AudioWindow, recognition: Recognition, asked: Asked) => Effect.Effect<TimedRecognition>,
) => {
  const misfitOf = (window: AudioWindow, words: ReadonlyArray<Word>) =>
    Effect.map(inSlices(alignWordsSteps(window.samples, textsOf(words))), ({ misfit }) => misfit ?? 1)

  /** The words where they fit best when others may be missing between them; as they are where that is not in doubt. */
  const loosely = Effect.fnUntraced(function* (window: AudioWindow, timed: TimedRecognition) {
    const { words, misfit } = timed
    if ((misfit ?? 0) <= SUSPICIOUS_MISFIT && gapsIn(window, words).length === 0) return timed
    const texts = endedBy(textsOf(words))
    const found = yield* inSlices(alignWindowSteps(window.samples, texts, { isLoose: true, decoy: true }))
    if (found === null) return timed
    return { ...timed, words: placedIn(window, words, found.times), misfit: found.misfit ?? 1 }
  })

  /** What was heard of a gap: new words, fitted in with the others; nothing where they do not fit; null where they are in the text already. */
  const hearGap = Effect.fnUntraced(function* (
    window: AudioWindow,
    asked: Asked,
    gap: Span,
    words: ReadonlyArray<Word>,
  ) {
    const part = partOf(window, gap.start - REACH, gap.end + REACH)
    const timed = yield* timeWords(part, yield* hear(part, asked), asked)
    const { fresh, all } = joinedWith(words, gap, part, timed.words)
    if (fresh.length === 0) return []
    if (isSaidBeside(words, gap, fresh)) return null
    if ((yield* misfitOf(part, timed.words)) > DOUBTFUL_MISFIT) return []
    return (yield* misfitOf(window, all)) < (yield* misfitOf(window, words)) - BETTER ? all : []
  })

  return Effect.fnUntraced(function* (window: AudioWindow, asked: Asked, timed: TimedRecognition) {
    // Where the engine gives times of its own, a hole between words is told by the integrity report.
    const isKnown = timed.timing !== "engine" && timed.misfit !== null && window.speech !== undefined
    if (!isKnown || timed.words.length === 0) return timed
    const loose = yield* loosely(window, timed)
    let words = loose.words
    let isLost = false
    for (const gap of gapsIn(window, loose.words)) {
      const more = yield* hearGap(window, asked, gap, words)
      if (more === null) continue
      isLost = isLost || more.length === 0
      if (more.length > 0) words = more
    }
    const isMended = words !== loose.words
    if (!isMended && !isLost) return timed
    const mended = isMended ? yield* timeWords(window, { ...timed, words }, asked) : loose
    // Times that leave the gap open: other words would be stretched over it.
    const placed: TimedRecognition =
      isMended || (loose.misfit ?? 1) > DOUBTFUL_MISFIT ? mended : { ...mended, timing: "aligned" }
    const warnings = placed.warnings.filter(
      ({ code }) => code !== "word_times_estimated" || placed.timing === "estimated",
    )
    return { ...placed, warnings: isLost ? [...warnings, warningOf("speech_lost")] : warnings }
  })
}
