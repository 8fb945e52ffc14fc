/** Media, an engine and checkpoints that do as a test says. */
import type { Word } from "@earmark/core/transcripts"
import {
  type AudioWindow,
  type Checkpoints,
  Diarizer,
  type EngineCapabilities,
  type HearingOptions,
  type HearingProgress,
  type Media,
  makeTranscriber,
  type Recognition,
  type Span,
  SpeechEngine,
  WorkFailed,
} from "@earmark/service"
import { Duration, Effect, Layer, Stream } from "effect"

export const failed = (code: "engine_error" | "engine_timeout" | "engine_unavailable" = "engine_error") =>
  new WorkFailed({ code, isTransient: true })

export const windowOf = (index: number, start: number, end: number): AudioWindow => ({
  index,
  start,
  end,
  samples: new Int16Array((end - start) * 16).fill(100),
})

/** Windows of ten seconds, one after the other. */
export const tenSeconds = (count: number): ReadonlyArray<AudioWindow> =>
  Array.from({ length: count }, (_, index) => windowOf(index, index * 10_000, (index + 1) * 10_000))

export const mediaOf = (windows: ReadonlyArray<AudioWindow>, known: Partial<Media> = {}): Media => {
  const seconds = (windows.at(-1)?.end ?? 0) / 1000
  return {
    durationSeconds: seconds,
    fingerprint: "f",
    language: null,
    captions: [],
    cut: "c",
    warnings: [],
    excerpts: Effect.succeed([]),
    windows: Stream.fromIterable(windows),
    summary: Effect.succeed({ durationSeconds: seconds, speech: windows, warnings: [] }),
    ...known,
  }
}

export const word = (text: string, start: number, end = start + 100): Word => ({
  text,
  start,
  end,
  confidence: null,
  speaker: null,
})

/** One word that names the window. */
export const named = ({ start, end }: AudioWindow): Recognition => ({
  words: [word(`${start}-${end}`, start)],
  language: null,
  warnings: [],
})

export const nothing: Recognition = { words: [], language: null, warnings: [] }

export const options: HearingOptions = {
  language: "en",
  quality: "fast",
  qualityExplicit: false,
  vocabulary: [],
  diarize: false,
  speakers: null,
  startAt: null,
  endAt: null,
}

export const keeping = (kept: ReadonlyArray<Span> = []) => {
  const saved: Array<Span> = []
  const reports: Array<HearingProgress> = []
  const plans: Array<string> = []
  const checkpoints: Checkpoints = {
    load: (plan) =>
      Effect.sync(() => {
        plans.push(plan)
        return kept
      }),
    save: (span) => Effect.sync(() => void saved.push(span)),
    report: (progress) => Effect.sync(() => void reports.push(progress)),
  }
  return { checkpoints, saved, reports, plans }
}

type Recognize = SpeechEngine["Type"]["recognize"]

/** A transcriber over an engine that hears as the test says. */
export const transcriberWith = (
  recognize: Recognize,
  capabilities: Partial<EngineCapabilities> = {},
  more: Pick<SpeechEngine["Type"], "detectLanguage"> = {},
  open: Diarizer["Type"]["open"] = () => Effect.fail(failed()),
) =>
  makeTranscriber({ windowTimeout: Duration.seconds(30) }).pipe(
    Effect.provide(
      Layer.merge(
        Layer.succeed(
          SpeechEngine,
          SpeechEngine.of({
            capabilities: {
              id: "test",
              model: "m",
              languages: "any",
              detectsLanguage: false,
              wordTimes: true,
              confidence: true,
              vocabulary: "prompt",
              qualities: ["fast", "accurate"],
              concurrency: 1,
              windows: { longest: 28_000, joinUpTo: 0 },
              isDraft: false,
              ...capabilities,
            },
            recognize,
            ...more,
          }),
        ),
        Layer.succeed(Diarizer, Diarizer.of({ id: "test", open })),
      ),
    ),
  )
