// An engine of your own: this one hears a word wherever a quarter of a second is loud.
import { warningOf } from "@earmark/core/jobs"
import { SpeechEngine, WorkFailed } from "@earmark/service"
import { Effect, Layer } from "effect"

const PART = 250
const LOUD = 500

// #region engine
export const layer = Layer.succeed(SpeechEngine, {
  capabilities: {
    id: "loud",
    model: "quarters",
    languages: ["en"],
    detectsLanguage: false,
    wordTimes: true,
    confidence: false,
    vocabulary: "none",
    qualities: ["fast"],
    concurrency: 1,
    windows: { longest: 28_000, joinUpTo: 25_000 },
    isDraft: true,
  },
  recognize: ({ start, samples }, { language }) =>
    Effect.gen(function* () {
      if (language !== null && !/^en\b/.test(language))
        return yield* new WorkFailed({ code: "language_unsupported", isTransient: false })
      const parts = Array.from({ length: Math.floor(samples.length / (16 * PART)) }, (_, at) => at * PART)
      const isLoud = (at: number) => samples.subarray(at * 16, (at + PART) * 16).some((one) => one > LOUD)
      return {
        // On the timeline of the media, in order. Who speaks is for others to say.
        words: parts.filter(isLoud).map((at) => ({
          text: "word",
          start: start + at,
          end: start + at + PART,
          confidence: null,
        })),
        language: null,
        warnings: language === null ? [warningOf("language_guessed")] : [],
      }
    }),
})
// #endregion
