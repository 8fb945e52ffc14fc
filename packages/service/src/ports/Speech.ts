import { FailureCode, type SpeakerRange, type Warning } from "@earmark/core/jobs"
import type { Word } from "@earmark/core/transcripts"
import { Context, type Effect, Schema, type Scope, type Stream } from "effect"
import type { JobSource } from "./records.js"

/** Media or an engine let a job down. The code is that of the failed job. */
export class WorkFailed extends Schema.TaggedError<WorkFailed>()("WorkFailed", {
  code: FailureCode,
  /** Whether trying again later can help. */
  isTransient: Schema.Boolean,
  cause: Schema.optional(Schema.Defect),
}) {}

/** A stretch of speech, cut out of the media. */
export interface AudioWindow {
  readonly index: number
  /** Milliseconds on the timeline of the media. */
  readonly start: number
  readonly end: number
  /** 16 kHz, mono, signed 16 bit. */
  readonly samples: Int16Array
}

/** How an engine wants speech cut. */
export interface WindowShape {
  /** No window is longer, in milliseconds. */
  readonly longest: number
  /** Neighbours are joined while the result stays under this, in milliseconds; 0 for an engine that hears each stretch by itself best. */
  readonly joinUpTo: number
}

export interface Media {
  /** As the container says, or null. */
  readonly durationSeconds: number | null
  readonly warnings: ReadonlyArray<Warning>
  /** Speech windows in order of time, decoded as they are asked for: a slow reader stops the decoder. */
  readonly windows: Stream.Stream<AudioWindow, WorkFailed>
  /** Voice spans and decoded length, known once the windows have ended. */
  readonly summary: Effect.Effect<{
    readonly durationSeconds: number
    readonly speech: ReadonlyArray<{ readonly start: number; readonly end: number }>
  }>
}

/** A stretch with speech in it, in milliseconds of the samples given. */
export interface SpeechSpan {
  readonly start: number
  readonly end: number
}

/** Listens to one recording, in order. */
export interface VoiceDetector {
  /** Takes the next samples (16 kHz, mono); answers the spans that have ended since. */
  readonly push: (samples: Int16Array) => ReadonlyArray<SpeechSpan>
  /** The recording is over; answers the span that was open. */
  readonly finish: () => ReadonlyArray<SpeechSpan>
}

/** Where somebody speaks. The same samples give the same spans, however they were cut. */
export class VoiceActivity extends Context.Tag("@earmark/service/VoiceActivity")<
  VoiceActivity,
  {
    /** Names the detector and its parameters: checkpoints of one do not fit another. */
    readonly id: string
    readonly warnings: ReadonlyArray<Warning>
    readonly open: Effect.Effect<VoiceDetector, WorkFailed, Scope.Scope>
  }
>() {}

/** From an address or an upload to speech windows: fetched, checked, decoded, cut. */
export class MediaDecoder extends Context.Tag("@earmark/service/MediaDecoder")<
  MediaDecoder,
  {
    /** The same media gives the same windows: a worker that takes over finds its checkpoints again. Scratch files go with the scope. */
    readonly open: (
      source: JobSource,
      options: {
        readonly startAt: number | null
        readonly endAt: number | null
        readonly windows: WindowShape
      },
    ) => Effect.Effect<Media, WorkFailed, Scope.Scope>
  }
>() {}

export interface EngineCapabilities {
  readonly id: string
  readonly model: string
  readonly languages: "any" | ReadonlyArray<string>
  readonly detectsLanguage: boolean
  readonly wordTimes: boolean
  readonly confidence: boolean
  readonly vocabulary: "hotwords" | "prompt" | "none"
  readonly qualities: ReadonlyArray<"fast" | "accurate">
  /** Windows that may be under way at once. */
  readonly concurrency: number
  readonly windows: WindowShape
  /** A draft is labelled so. */
  readonly isDraft: boolean
}

export interface Recognition {
  readonly words: ReadonlyArray<Word>
  readonly language: { readonly code: string; readonly confidence: number } | null
  readonly warnings: ReadonlyArray<Warning>
}

/** Words out of sound. */
export class SpeechEngine extends Context.Tag("@earmark/service/SpeechEngine")<
  SpeechEngine,
  {
    readonly capabilities: EngineCapabilities
    /** Words lie inside the window, in order, on the timeline of the media. The same window with the same options gives the same words. */
    readonly recognize: (
      window: AudioWindow,
      options: {
        readonly language: string | null
        readonly quality: "fast" | "accurate"
        readonly vocabulary: ReadonlyArray<string>
      },
    ) => Effect.Effect<Recognition, WorkFailed>
  }
>() {}

export interface SpeakerTurn {
  readonly start: number
  readonly end: number
  readonly speaker: string
}

/** Who speaks when. A failing one never fails a job. */
export class Diarizer extends Context.Tag("@earmark/service/Diarizer")<
  Diarizer,
  {
    readonly turns: (
      source: JobSource,
      range: SpeakerRange | null,
    ) => Effect.Effect<ReadonlyArray<SpeakerTurn>, WorkFailed>
  }
>() {}

/** Extras from the text of a transcript. A failing one never fails a job. */
export class Translator extends Context.Tag("@earmark/service/Translator")<
  Translator,
  {
    /** One text for each given, in order. */
    readonly translate: (
      texts: ReadonlyArray<string>,
      languages: { readonly from: string | null; readonly to: string },
    ) => Effect.Effect<ReadonlyArray<string>, WorkFailed>
  }
>() {}
