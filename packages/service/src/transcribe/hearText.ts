/** A job that brings its text: the words are found in the sound, and no engine hears it. */

import { warningOf } from "@earmark/core/jobs"
import { identifyLanguage } from "@earmark/core/text"
import { repairWords } from "@earmark/core/transcripts"
import { Effect, type Scope, Stream } from "effect"
import { type AudioWindow, Diarizer, type Media, type WorkFailed } from "../ports/Speech.js"
import { givenTextOf, makeFindText } from "./alignText.js"
import type { Checkpoints, HearingOptions } from "./Checkpoints.js"
import { makeProgress } from "./progress.js"
import { openEar } from "./speakers.js"
import type { Heard } from "./Transcriber.js"
import { distinct } from "./warnings.js"

/** The same as hearing it, for whoever asks: words, times, voice and speakers. Nothing of it is a checkpoint: a minute takes a fifth of a second. */
export const makeHearText = Effect.gen(function* () {
  const diarizer = yield* Diarizer

  return Effect.fn("hearText")(function* <E>(
    media: Media,
    text: string,
    options: HearingOptions,
    report: Checkpoints<E>["report"],
    isStopping: () => boolean,
  ): Effect.fn.Return<Heard, WorkFailed | E, Scope.Scope> {
    const ear = options.diarize ? yield* openEar(diarizer, options.speakers) : null
    const given = givenTextOf(new TextEncoder().encode(text), options.language)
    const { hear, finish } = makeFindText(given)
    const progress = yield* makeProgress(
      { ...options, durationSeconds: media.durationSeconds },
      report,
      () => Effect.void,
    )
    let stopped = false
    const goesOn = () => {
      stopped = stopped || isStopping()
      return !stopped
    }
    const take = Effect.fnUntraced(function* (window: AudioWindow) {
      if (ear !== null) yield* ear.hear(window)
      yield* hear(window)
      media.release?.(window)
      const { index, start, end } = window
      yield* progress.finished({ index, start, end, words: [] }, true)
    })
    yield* media.windows.pipe(Stream.takeWhile(goesOn), Stream.runForEach(take))
    const { durationSeconds, speech, warnings: decoded } = yield* media.summary
    // A text for a recording in which nobody speaks is that of another one.
    const isSilent = speech.length === 0
    const found = stopped || isSilent ? null : yield* finish
    const words = repairWords(found?.lines.flatMap((line) => line.words) ?? [])
    const estimatedWords = found?.estimatedWords ?? 0
    const detectedLanguage = found?.language === null ? identifyLanguage(text) : null
    const heard: Heard = {
      words,
      language: found?.language ?? detectedLanguage?.code ?? null,
      detectedLanguage,
      warnings: distinct([
        ...media.warnings,
        ...decoded,
        ...(estimatedWords > 0 ? [warningOf("word_times_estimated")] : []),
      ]),
      complete: !stopped,
      durationSeconds,
      voice: speech,
      lost: [],
      // How far the text as a whole is from the sound shows in what had to be estimated.
      windows: [],
      timing: { wordTiming: found?.wordTiming ?? "estimated", estimatedWords },
      turns: ear?.turns ?? Effect.succeed(null),
    }
    return heard
  })
})
