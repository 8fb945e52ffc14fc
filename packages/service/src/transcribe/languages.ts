/** The language of a recording, told before it is heard: whoever guesses window by window writes one language as two. */
import { type Duration, Effect } from "effect"
import type { Span } from "../ports/JobQueue.js"
import type { AudioWindow, Media, Recognition, SpeechEngine, WorkFailed } from "../ports/Speech.js"
import type { HearingOptions } from "./Checkpoints.js"
import { tooLong } from "./hearWindow.js"

export interface DetectedLanguage {
  readonly code: string
  readonly confidence: number
}

/** The language with the most votes, and its share of them; each vote counts as much as it is sure. */
export const likeliest = (votes: ReadonlyArray<DetectedLanguage>): DetectedLanguage | null => {
  const sums = new Map<string, number>()
  for (const { code, confidence } of votes) sums.set(code, (sums.get(code) ?? 0) + confidence)
  const [best] = [...sums].sort((left, right) => right[1] - left[1])
  if (best === undefined) return null
  const [code, sum] = best
  return { code, confidence: Math.min(1, sum / votes.length) }
}

/** The language that more than half of the votes are for. */
const majorityOf = (votes: ReadonlyArray<DetectedLanguage>): DetectedLanguage | null => {
  const best = likeliest(votes)
  return best !== null && 2 * votes.filter(({ code }) => code === best.code).length > votes.length
    ? best
    : null
}

/** What was settled before a hearing was broken off: every span of it says the same. */
const settledIn = (kept: ReadonlyArray<Span>): DetectedLanguage | null => {
  const votes = kept.flatMap(({ notes }) => notes?.language ?? [])
  const [first] = votes
  return first !== undefined && votes.length === kept.length && votes.every(({ code }) => code === first.code)
    ? first
    : null
}

/**
 * Lets excerpts from all over the recording vote, where nobody said what language it is in and the engine can tell. Null: the engine is
 * asked about each window. A hearing that goes on keeps to what it began with.
 */
export const makeDetectLanguage = (engine: SpeechEngine["Type"], windowTimeout: Duration.Duration) => {
  const { capabilities } = engine

  const voteOf = (window: AudioWindow, options: HearingOptions) => {
    const vote: Effect.Effect<Recognition["language"], WorkFailed> =
      engine.detectLanguage?.(window) ??
      Effect.map(engine.recognize(window, { ...options, language: null }), ({ language }) => language)
    return vote.pipe(
      tooLong(window, windowTimeout),
      // An excerpt less is no harm; what ails the engine itself shows in the first window.
      Effect.catchAll((failed) => Effect.as(Effect.logDebug("An excerpt has no vote", failed), null)),
    )
  }

  return Effect.fn("detectLanguage")(function* (
    media: Media,
    options: HearingOptions,
    kept: ReadonlyArray<Span>,
  ) {
    if (options.language !== null || !capabilities.detectsLanguage) return null
    if (kept.length > 0) return settledIn(kept)
    const votes = yield* Effect.forEach(yield* media.excerpts, (window) => voteOf(window, options), {
      concurrency: Math.max(1, capabilities.concurrency),
    })
    return majorityOf(votes.filter((vote) => vote !== null))
  })
}
