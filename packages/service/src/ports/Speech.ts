import type { ChannelLevels } from "@earmark/core/audio"
import type { CaptionFile } from "@earmark/core/captions"
import { FailureCode, failureSentence, type SpeakerRange, type Warning } from "@earmark/core/jobs"
import type { Transcript, Word } from "@earmark/core/transcripts"
import { Context, Data, type Effect, Schema, type Scope, type Stream } from "effect"
import type { ChapterMark, JobSource } from "./records.js"

/** What is wrong with a machine, for those who run it: the cause of a `WorkFailed`. It may name programs, paths and settings. */
export class MachineTrouble extends Data.TaggedError("MachineTrouble")<{ readonly message: string }> {}

/** Media or an engine let a job down. The code is that of the failed job. */
export class WorkFailed extends Schema.TaggedError<WorkFailed>()("WorkFailed", {
  code: FailureCode,
  /** Whether trying again later can help. */
  isTransient: Schema.Boolean,
  /** What happened and what to do, for this very media or engine; never a path, an address or the words of a program. */
  detail: Schema.optional(Schema.String),
  cause: Schema.optional(Schema.Defect),
}) {
  override get message() {
    return this.detail ?? failureSentence(this.code)
  }

  /** The detail for those who run the machine: clients never see it. */
  get operatorDetail(): string | undefined {
    return this.cause instanceof MachineTrouble ? this.cause.message : this.detail
  }
}

/** A stretch of speech, cut out of the media. It overlaps with its neighbour where there was no pause to cut in. */
export interface AudioWindow {
  readonly index: number
  /** Milliseconds on the timeline of the media. */
  readonly start: number
  readonly end: number
  /** 16 kHz, mono, signed 16 bit. */
  readonly samples: Int16Array
  /** Where in it a voice was found, on the timeline of the media; absent: all over it. */
  readonly speech?: ReadonlyArray<SpeechSpan>
}

/** How an engine wants speech cut. */
export interface WindowShape {
  /** No window is longer, in milliseconds. */
  readonly longest: number
  /** Neighbours are joined while the result stays under this, in milliseconds; 0 for an engine that hears each stretch by itself best. */
  readonly joinUpTo: number
  /** Pauses up to this may be inside a window, in milliseconds; absent: up to a second. */
  readonly longestPause?: number
  /** How far neighbours go beyond a cut that is not in a pause, in milliseconds; absent: not at all. */
  readonly overlap?: number
}

/** A text inside the media: subtitles that can be read as text. */
export interface EmbeddedCaptions {
  readonly language: string | null
  /** Whether the container names it as the one to show. */
  readonly isDefault: boolean
  /** Null when it cannot be read. */
  readonly read: Effect.Effect<CaptionFile | null>
}

/** What is kept of the sound of media, for players. */
export interface Recording {
  /** The greatest sample of each twentieth of a second, 0 to 255. */
  readonly waveform: Uint8Array
  /** The sound as AAC in an MPEG-4 file; null where none was wanted, or none can be made. */
  readonly copy: { readonly bytes: number; readonly read: Stream.Stream<Uint8Array, WorkFailed> } | null
}

export interface Media {
  /** As the container says, or null. */
  readonly durationSeconds: number | null
  /** The same bytes have the same one, and no others. */
  readonly fingerprint: string
  /** How many they are, where they were counted. */
  readonly bytes?: number
  /** The language of the sound, where the container names it. */
  readonly language: string | null
  readonly captions: ReadonlyArray<EmbeddedCaptions>
  /** Names how the sound is cut: decoder, voice detector, shape of windows. Checkpoints of another cut do not fit. */
  readonly cut: string
  readonly warnings: ReadonlyArray<Warning>
  /**
   * A few stretches of speech from all over what is to be heard, decoded apart from `windows`, for whoever has to know something about
   * it beforehand. None where nobody speaks, or nobody knows how long it is.
   */
  readonly excerpts: Effect.Effect<ReadonlyArray<AudioWindow>>
  /** Speech windows in order of time, decoded as they are asked for, once: a slow reader stops the decoder. */
  readonly windows: Stream.Stream<AudioWindow, WorkFailed>
  /** Absent where the sound has one channel. */
  readonly channels?: MediaChannels
  /** Made while the sound is decoded: there once the windows, or the levels of the channels, have ended; null before, and where nobody asked. */
  readonly recording?: Effect.Effect<Recording | null>
  /** Nobody looks at the samples of this window any more: their memory may be used for another one. */
  readonly release?: (window: AudioWindow) => void
  /** Voice spans, decoded length and what decoding showed; known once the windows have ended. */
  readonly summary: Effect.Effect<{
    readonly durationSeconds: number
    readonly speech: ReadonlyArray<{ readonly start: number; readonly end: number }>
    readonly warnings: ReadonlyArray<Warning>
  }>
}

/** The channels of a sound, each of which may be heard by itself. */
export interface MediaChannels {
  readonly count: number
  /** How loud each of them is, and which hold the same sound. All that is to be heard is decoded for it. */
  readonly levels: Effect.Effect<ChannelLevels, WorkFailed>
  /** The same media with the sound of one channel, counted from 0; silent where it holds another one's voice alone. */
  readonly open: (channel: number, levels: ChannelLevels) => Effect.Effect<Media, WorkFailed, Scope.Scope>
}

/** What is to be heard of a media file. Milliseconds. */
export interface Listening {
  readonly startAt: number | null
  readonly endAt: number | null
  readonly windows: WindowShape
  /** Of several languages in the media, the one wanted. */
  readonly language: string | null
  /** Longer media fail as `media_too_long`, however long the container says it is. */
  readonly maxSeconds: number | null
  /** Which copy of the sound is made beside its waveform: `inexact` for media in which browsers do not find a moment. Absent: neither. */
  readonly record?: CopyRule
}

/** For which media a listening copy is made. */
export type CopyRule = "always" | "inexact" | "never"

/** A stretch with speech in it, in milliseconds of the samples given. */
export interface SpeechSpan {
  readonly start: number
  readonly end: number
}

/** Listens to one recording, in order. A span is answered at most a minute after its beginning: what goes on longer is cut. */
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

/** Nobody can say beforehand how long media is, and why. */
export class LengthUnknown extends Schema.TaggedError<LengthUnknown>()("LengthUnknown", {
  /** A sentence for the owner of the media; never a path, a query or a credential. */
  reason: Schema.String,
}) {
  override get message() {
    return this.reason
  }
}

/** What a file of this machine says about itself before it is opened; null where only opening it tells. */
export interface Measured {
  readonly bytes: number
  /** As its container says. */
  readonly durationSeconds: number
  /** That of `Media`: all bytes are read for it. */
  readonly fingerprint: Effect.Effect<string, WorkFailed>
}

/** From an address, an upload or a file to speech windows: fetched, checked, decoded, cut. */
export class MediaDecoder extends Context.Tag("@earmark/service/MediaDecoder")<
  MediaDecoder,
  {
    /**
     * The same media gives the same windows: a worker that takes over finds its checkpoints again. Nothing is decoded before the
     * windows are asked for. Scratch files and programs go with the scope.
     */
    readonly open: (source: JobSource, listening: Listening) => Effect.Effect<Media, WorkFailed, Scope.Scope>
    /** The same for a file on this machine, that its owner named: no source of a job leads here. */
    readonly openFile: (path: string, listening: Listening) => Effect.Effect<Media, WorkFailed, Scope.Scope>
    /** Looks at a file of this machine without opening it. Refuses what `openFile` refuses for its bytes. Only a decoder that can look has this. */
    readonly measure?: (path: string) => Effect.Effect<Measured | null, WorkFailed>
    /** How long the media of a job is, in seconds, from a small part of its bytes. Only a decoder that can look has this. */
    readonly length?: (source: JobSource) => Effect.Effect<number, LengthUnknown>
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
  /** It stands in for an engine: its words do not come from the sound, and are not judged by it. */
  readonly isStandIn?: boolean
}

export interface Recognition {
  readonly words: ReadonlyArray<Word>
  /** The language heard. With a confidence of 0 it is the only one that was looked for, and nothing tells whether it was spoken. */
  readonly language: { readonly code: string; readonly confidence: number } | null
  readonly warnings: ReadonlyArray<Warning>
}

/** A word as an engine gives it: who said it is found out later. */
export type EngineWord = Omit<Word, "speaker"> & Partial<Pick<Word, "speaker">>

/** What an engine answers. */
export type EngineAnswer = Omit<Recognition, "words"> & { readonly words: ReadonlyArray<EngineWord> }

/** Words out of sound. */
export class SpeechEngine extends Context.Tag("@earmark/service/SpeechEngine")<
  SpeechEngine,
  {
    readonly capabilities: EngineCapabilities
    /** How speech is best cut for such options, where that depends on them: engines of several models have this. */
    readonly windowsFor?: (options: {
      readonly language: string | null
      readonly quality: "fast" | "accurate"
    }) => WindowShape
    /** Words lie inside the window, in order, on the timeline of the media. The same window with the same options gives the same words. */
    readonly recognize: (
      window: AudioWindow,
      options: {
        readonly language: string | null
        readonly quality: "fast" | "accurate"
        readonly vocabulary: ReadonlyArray<string>
      },
    ) => Effect.Effect<EngineAnswer, WorkFailed>
    /** The language of a window, null when it cannot be told. An engine that detects languages and lacks this tells them by `recognize`. */
    readonly detectLanguage?: (window: AudioWindow) => Effect.Effect<Recognition["language"], WorkFailed>
  }
>() {}

export interface SpeakerTurn {
  readonly start: number
  readonly end: number
  readonly speaker: string
}

/** Hears one recording, window by window, beside the engine. */
export interface SpeakerListener {
  /** Takes the next window, in order of time; all of them, also those that the engine need not hear again. */
  readonly hear: (window: AudioWindow) => Effect.Effect<void, WorkFailed>
  /** Who spoke when, once every window was heard. Labels are any. */
  readonly turns: Effect.Effect<ReadonlyArray<SpeakerTurn>, WorkFailed>
}

/** Who speaks when. A failing one never fails a job. */
export class Diarizer extends Context.Tag("@earmark/service/Diarizer")<
  Diarizer,
  {
    /** Names who tells them apart: a result in which another one did is not taken for its own. */
    readonly id: string
    /** A listener for one recording; what it keeps goes with the scope. */
    readonly open: (range: SpeakerRange | null) => Effect.Effect<SpeakerListener, WorkFailed, Scope.Scope>
  }
>() {}

/** Extras from the text of a transcript, in its own language. A failing one never fails a job. */
export class Writer extends Context.Tag("@earmark/service/Writer")<
  Writer,
  {
    /** Names who writes: a result that another one wrote is not taken for its own. */
    readonly id: string
    /** Whether somebody else is asked: that is work for the queue. */
    readonly isRemote: boolean
    /** What was said, in a few sentences. Of a transcript without text, nothing. */
    readonly summarize: (transcript: Transcript) => Effect.Effect<string, WorkFailed>
    /** In order of time: the first begins at 0, each of the others with a segment, the last ends with the recording. Of a transcript without text, none. */
    readonly chapters: (transcript: Transcript) => Effect.Effect<ReadonlyArray<ChapterMark>, WorkFailed>
  }
>() {}

/** The lines of a transcript in another language. A failing one never fails a job. */
export class Translator extends Context.Tag("@earmark/service/Translator")<
  Translator,
  {
    /** Names who translates: a result of another one is not taken for its own. */
    readonly id: string
    /** False: nothing translates, and requests that want it are refused. */
    readonly isThere?: boolean
    /** One text for each given, in order; a blank one where a text could not be translated. */
    readonly translate: (
      texts: ReadonlyArray<string>,
      languages: { readonly from: string | null; readonly to: string },
    ) => Effect.Effect<ReadonlyArray<string>, WorkFailed>
  }
>() {}
