/** When each word is said, for engines that do not tell, and whether the words fit their sound. */
import { alignWordsSteps, FEWEST_JUDGED_WORDS } from "@earmark/core/alignment"
import { type WordTiming, warningOf } from "@earmark/core/jobs"
import { baseLanguage, identifyLanguage } from "@earmark/core/text"
import type { HeardWindow, Word } from "@earmark/core/transcripts"
import { Effect } from "effect"
import type { Span } from "../ports/JobQueue.js"
import type { AudioWindow, EngineCapabilities, Recognition } from "../ports/Speech.js"
import { MOST_ESTIMATED } from "../useCases/mostEstimated.js"
import { inSlices } from "./inSlices.js"

/** What was recognised, with times that can be trusted as far as `timing` says. */
export interface TimedRecognition extends Recognition {
  readonly timing: WordTiming
  /** How far the words are from their sound, against a decoy; null where that cannot be measured. */
  readonly misfit: number | null
}

/** Where the times of the words of a whole recording come from. */
export interface HeardTiming {
  readonly wordTiming: WordTiming
  readonly estimatedWords: number
}

/** The aligner spells as English does: of another language the right text fits its sounds hardly better than a wrong one. */
const isJudged = ({ words, language }: Recognition, texts: ReadonlyArray<string>, asked: string | null) =>
  words.length >= FEWEST_JUDGED_WORDS &&
  baseLanguage(asked ?? language?.code ?? identifyLanguage(texts.join(" "))?.code) === "en"

/**
 * Gives the words of a window true times where the engine gave none, and measures how far English words are from their sound. One window
 * at a time, in slices: whoever shares the process goes on meanwhile.
 */
export const makeTimeWords = Effect.fnUntraced(function* ({
  wordTimes,
  isStandIn = false,
}: Pick<EngineCapabilities, "wordTimes" | "isStandIn">) {
  const one = yield* Effect.makeSemaphore(1)

  return Effect.fnUntraced(function* (
    window: AudioWindow,
    recognition: Recognition,
    { language }: { readonly language: string | null },
  ) {
    const { words, warnings } = recognition
    const texts = words.map(({ text }) => text)
    const judged = !isStandIn && isJudged(recognition, texts, language)
    const isUntimed =
      words.length > 0 && (!wordTimes || warnings.some(({ code }) => code === "no_word_times"))
    const engines: TimedRecognition = { ...recognition, timing: "engine", misfit: null }
    if (!isUntimed && !judged) return engines
    const aligned = yield* one.withPermits(1)(inSlices(alignWordsSteps(window.samples, texts)))
    const misfit = judged ? aligned.misfit : null
    if (!isUntimed) return { ...engines, misfit }
    const { times, timing } = aligned
    const moment = (time: number) => Math.min(window.end, window.start + time)
    const placed = words.map((word, index): Word => {
      const { start, end } = times[index] ?? { start: 0, end: 0 }
      return { ...word, start: moment(start), end: moment(end) }
    })
    const others = warnings.filter(({ code }) => code !== "no_word_times")
    const timed: TimedRecognition = {
      ...recognition,
      words: placed,
      warnings: timing === "estimated" ? [...others, warningOf("word_times_estimated")] : others,
      timing,
      misfit,
    }
    return timed
  })
})

/** The stretches that were heard, each with what is known of its fit. */
export const heardWindows = (spans: ReadonlyArray<Span>): ReadonlyArray<HeardWindow> =>
  spans.map(({ start, end, notes }) => ({ start, end, misfit: notes?.misfit ?? null }))

/** The timing of transcripts that become one. */
export const joinTimings = (
  parts: ReadonlyArray<{ readonly words: ReadonlyArray<Word>; readonly timing: HeardTiming }>,
): HeardTiming => {
  const all = parts.reduce((sum, { words }) => sum + words.length, 0)
  const estimatedWords = parts.reduce((sum, { timing }) => sum + timing.estimatedWords, 0)
  if (estimatedWords > all * MOST_ESTIMATED) return { wordTiming: "estimated", estimatedWords }
  const isAligned = parts.some(({ timing }) => timing.wordTiming !== "engine")
  return { wordTiming: isAligned ? "aligned" : "engine", estimatedWords }
}

/** Estimated where too much is, else aligned where anything is. */
export const timingOf = (spans: ReadonlyArray<Pick<Span, "words" | "notes">>): HeardTiming => {
  const counted = (timing: "aligned" | "estimated") =>
    spans.reduce((sum, { words, notes }) => sum + (notes?.timing === timing ? words.length : 0), 0)
  const all = spans.reduce((sum, { words }) => sum + words.length, 0)
  const estimatedWords = counted("estimated")
  if (estimatedWords > all * MOST_ESTIMATED) return { wordTiming: "estimated", estimatedWords }
  return { wordTiming: counted("aligned") + estimatedWords > 0 ? "aligned" : "engine", estimatedWords }
}
