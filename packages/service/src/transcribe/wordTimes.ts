/** When each word is said, for engines that do not tell. */
import { alignWordsSteps } from "@earmark/core/alignment"
import { type WordTiming, warningOf } from "@earmark/core/jobs"
import type { Word } from "@earmark/core/transcripts"
import { Effect } from "effect"
import type { Span } from "../ports/JobQueue.js"
import type { AudioWindow, EngineCapabilities, Recognition } from "../ports/Speech.js"
import { inSlices } from "./inSlices.js"

/** What was recognised, with times that can be trusted as far as `timing` says. */
interface TimedRecognition extends Recognition {
  readonly timing: WordTiming
}

/** Where the times of the words of a whole recording come from. */
export interface HeardTiming {
  readonly wordTiming: WordTiming
  readonly estimatedWords: number
}

/** With more of its words estimated, a transcript as a whole is. Exports by word demand the same share. */
const MOST_ESTIMATED = 0.05

/**
 * Gives the words of a window true times where the engine gave none. One window at a time, in slices: whoever shares the process goes on
 * meanwhile.
 */
export const makeTimeWords = Effect.fnUntraced(function* ({
  wordTimes,
}: Pick<EngineCapabilities, "wordTimes">) {
  const one = yield* Effect.makeSemaphore(1)

  return Effect.fnUntraced(function* (window: AudioWindow, recognition: Recognition) {
    const { words, warnings } = recognition
    const isUntimed = !wordTimes || warnings.some(({ code }) => code === "no_word_times")
    if (words.length === 0 || !isUntimed) {
      const timed: TimedRecognition = { ...recognition, timing: "engine" }
      return timed
    }
    const texts = words.map(({ text }) => text)
    const { times, timing } = yield* one.withPermits(1)(inSlices(alignWordsSteps(window.samples, texts)))
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
    }
    return timed
  })
})

/** Estimated where too much is, else aligned where anything is. */
export const timingOf = (spans: ReadonlyArray<Pick<Span, "words" | "notes">>): HeardTiming => {
  const counted = (timing: "aligned" | "estimated") =>
    spans.reduce((sum, { words, notes }) => sum + (notes?.timing === timing ? words.length : 0), 0)
  const all = spans.reduce((sum, { words }) => sum + words.length, 0)
  const estimatedWords = counted("estimated")
  if (estimatedWords > all * MOST_ESTIMATED) return { wordTiming: "estimated", estimatedWords }
  return { wordTiming: counted("aligned") + estimatedWords > 0 ? "aligned" : "engine", estimatedWords }
}
