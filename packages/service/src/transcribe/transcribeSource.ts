import { type OptionsSnapshot, type Phase, warningOf } from "@earmark/core/jobs"
import { assemble, type Transcript } from "@earmark/core/transcripts"
import { type Duration, Effect, type Scope } from "effect"
import type { Finished, JobSource } from "../ports/records.js"
import { SourceResolver } from "../ports/SourceResolver.js"
import {
  type CopyRule,
  Diarizer,
  type Listening,
  type Media,
  MediaDecoder,
  type Recording,
  Translator,
  type WorkFailed,
  Writer,
} from "../ports/Speech.js"
import { reusedWarnings } from "../ports/stored.js"
import {
  ALIGNER,
  isHeard,
  isWhole,
  type MediaKeys,
  type ResultKeys,
  resultKeysOf,
} from "../useCases/cacheKey.js"
import { type CaptionSearch, searchCaptions, searchSubtitles } from "../useCases/captionBacked.js"
import { finish, finishHeard } from "../useCases/finishing.js"
import { minutesOf } from "../useCases/prices.js"
import type { ServiceConfig } from "../useCases/ServiceConfig.js"
import { ALIGNED_WINDOWS } from "./alignText.js"
import { type Checkpoints, planOf } from "./Checkpoints.js"
import { makeHearChannels, separateChannels } from "./hearChannels.js"
import { makeHearText } from "./hearText.js"
import { mediaLength } from "./mediaLength.js"
import { noWords } from "./noWords.js"
import { type Hearing, makeTranscriber } from "./Transcriber.js"
import { distinct } from "./warnings.js"
import { windowsOf } from "./windowsOf.js"

/** Media to transcribe: a file of this machine, or a source whose address is known. */
export type MediaSource =
  | { readonly type: "file"; readonly path: string }
  | { readonly type: "found"; readonly source: JobSource; readonly durationSeconds: number | null }

/** A finished transcript, and what it has in common with the one that is wanted. */
export interface Known {
  readonly finished: Finished
  readonly by: keyof ResultKeys
}

/** What is being done while a source is transcribed. */
export type WorkPhase = Exclude<Phase, "waiting" | "waiting_for_credits">

/** The length of the media in seconds, as far as each stage knows it. */
export type Length =
  | { readonly stage: "found" | "opened"; readonly seconds: number | null }
  | { readonly stage: "heard"; readonly seconds: number; readonly heardSeconds: number }

/** What differs between the callers of the pipeline: limits, payment, checkpoints, and where known results are. */
export interface Policy<E> {
  readonly checkpoints: Checkpoints<E>
  /** Every span in the order of time, as soon as all before it are there. */
  readonly follow?: Hearing<E>["follow"]
  readonly phase: (phase: WorkPhase) => Effect.Effect<void, E>
  /** Which captions may replace transcription; null to look for none. */
  readonly captions: Pick<ServiceConfig["Type"], "allowAutomaticCaptions"> | null
  /** The longest media to open, read when they are opened; null for any length. */
  readonly maxSeconds: Effect.Effect<number | null, E>
  /** A result known by the address of the source, asked for first. */
  readonly knownSource?: Effect.Effect<Known | null, E>
  /** A result known by the bytes of the media, asked for before they are transcribed. */
  readonly knownMedia?: (keys: MediaKeys) => Effect.Effect<Known | null, E>
  /**
   * Fails when the media must not be transcribed. Called before a source is downloaded, before it is transcribed, and before speakers
   * are identified. Never called for captions or a known result.
   */
  readonly admit: (length: Length) => Effect.Effect<void, WorkFailed | E>
  /** The price of what was heard; nothing when absent. */
  readonly credits?: (heardSeconds: number, hasSpeakers: boolean) => number
  /** What is kept of the sound; nothing when absent. */
  readonly recording?: {
    readonly copy: CopyRule
    readonly keep: (recording: Recording) => Effect.Effect<void>
  }
  /** Asked before every window; `stopped` ends the attempt once the windows under way are checkpoints. */
  readonly stop?: { readonly isStopping: () => boolean; readonly stopped: Effect.Effect<never, E> }
}

const NO_CAPTIONS: CaptionSearch = { transcript: null, speakerNames: {}, warnings: [] }

/** The one way from a source to a finished transcript. Every step can be repeated: the next attempt goes on from the last checkpoint. */
export const makeTranscribeSource = Effect.fnUntraced(function* (settings: {
  readonly windowTimeout: Duration.Duration
}) {
  const resolver = yield* SourceResolver
  const decoder = yield* MediaDecoder
  const diarizer = yield* Diarizer
  const staff = { writer: yield* Writer, translator: yield* Translator }
  const transcriber = yield* makeTranscriber(settings)
  const { engine } = transcriber
  const hearChannels = makeHearChannels(transcriber)
  const hearText = yield* makeHearText
  /** Whose work decides about a result. */
  const makers = { engine, diarizer, ...staff }

  const open = (
    source: MediaSource,
    options: OptionsSnapshot,
    maxSeconds: number | null,
    record?: CopyRule,
  ) => {
    const { startAt, endAt, language, transcriptText } = options
    const windows = transcriptText === undefined ? windowsOf(engine, options) : ALIGNED_WINDOWS
    const listening: Listening = {
      ...{ startAt, endAt, language, windows, maxSeconds },
      ...(record !== undefined && { record }),
    }
    return source.type === "file"
      ? decoder.openFile(source.path, listening)
      : decoder.open(source.source, listening)
  }

  const keysUnder = (media: Pick<Media, "fingerprint" | "cut">, options: OptionsSnapshot) =>
    resultKeysOf(planOf(media, engine.capabilities, options), options, makers)

  const unopenedKey = (fingerprint: string, options: OptionsSnapshot): string =>
    keysUnder({ fingerprint, cut: "" }, options).heard

  const keysOf = (media: Media, options: OptionsSnapshot): MediaKeys => ({
    ...keysUnder(media, options),
    unopened: unopenedKey(media.fingerprint, options),
    ...(media.bytes !== undefined && { bytes: media.bytes }),
  })

  /** Captions of the source, or inside the media, cost nothing. */
  const finishCaptions = (
    options: OptionsSnapshot,
    transcript: Transcript,
    found: Pick<CaptionSearch, "speakerNames" | "warnings">,
  ) => {
    const made = { transcript, options, engine: null, detectedLanguage: null, voice: null }
    return finish({ ...made, ...found, origin: "captions", credits: 0, minutes: 0 }, staff)
  }

  /** A known result costs nothing; extras that it lacks are made. Null when it has to be made anew. */
  const reuse = Effect.fnUntraced(function* <E>(
    known: Known | null,
    options: OptionsSnapshot,
    before: CaptionSearch["warnings"],
    phase: Policy<E>["phase"],
  ) {
    if (known === null || !isHeard(known.finished)) return null
    const warnings = distinct([...before, ...reusedWarnings(known.finished)])
    const finished: Finished = { ...known.finished, warnings }
    if (known.by === "whole" && isWhole(finished))
      return { ...finished, origin: "cache" as const, billedMinutes: 0, credits: 0, minutes: 0 }
    yield* phase("enriching")
    return yield* finishHeard(finished, options, staff)
  })

  const hear = <E>(
    media: Media,
    options: OptionsSnapshot,
    { checkpoints, follow, stop }: Pick<Policy<E>, "checkpoints" | "follow" | "stop">,
  ) =>
    options.transcriptText === undefined
      ? transcriber.transcribe(media, options, checkpoints, {
          ...(follow !== undefined && { follow }),
          ...(stop !== undefined && { isStopping: stop.isStopping }),
        })
      : hearText(
          media,
          options.transcriptText,
          options,
          checkpoints.report,
          stop?.isStopping ?? (() => false),
        )

  const listen = Effect.fnUntraced(function* <E>(media: Media, options: OptionsSnapshot, policy: Policy<E>) {
    const { admit, checkpoints, follow, phase, stop, credits = () => 0 } = policy
    yield* phase("transcribing")
    if (options.channels === true && options.transcriptText === undefined) {
      const apart = yield* separateChannels(media)
      if (apart !== null) {
        const heard = yield* hearChannels(media, apart, options, checkpoints, follow)
        const seconds = heard.transcript.duration / 1000
        yield* admit({ stage: "heard", seconds, heardSeconds: seconds })
        return { ...heard, credits: credits(seconds, true), minutes: minutesOf(seconds) }
      }
    }
    const heard = yield* hear(media, options, policy)
    if (!heard.complete) return yield* stop?.stopped ?? Effect.interrupt
    if (heard.words.length === 0)
      return yield* noWords({ ...heard, startAt: options.startAt, durationSeconds: media.durationSeconds })
    const seconds = mediaLength(media.durationSeconds, heard, options)
    yield* admit({ stage: "heard", seconds, heardSeconds: heard.durationSeconds })
    if (options.diarize) yield* phase("diarizing")
    const turns = options.diarize ? yield* heard.turns : []
    return {
      transcript: assemble({
        language: heard.language,
        duration: seconds * 1000,
        words: heard.words,
        turns: turns ?? [],
      }),
      detectedLanguage: heard.detectedLanguage,
      voice: heard.voice,
      lost: heard.lost,
      windows: heard.windows,
      timing: heard.timing,
      warnings: [
        ...heard.warnings,
        ...(turns === null ? [warningOf("diarization_failed")] : []),
        ...(options.channels === true ? [warningOf("channels_alike")] : []),
      ],
      credits: credits(heard.durationSeconds, options.diarize && turns !== null),
      minutes: minutesOf(heard.durationSeconds),
    }
  })

  const transcribe = Effect.fn("transcribeSource")(function* <E = never>(
    source: MediaSource,
    options: OptionsSnapshot,
    policy: Policy<E>,
  ): Effect.fn.Return<Finished, WorkFailed | E, Scope.Scope> {
    const { captions, phase } = policy
    const kept = yield* policy.knownSource ?? Effect.succeed(null)
    const ready = yield* reuse(kept, options, [], phase)
    if (ready !== null) return ready
    const { transcript: published, ...beside } =
      source.type === "file" || captions === null
        ? NO_CAPTIONS
        : yield* searchCaptions({ ...source, options }, resolver, captions)
    if (published !== null) return yield* finishCaptions(options, published, beside)
    // A file of this machine may have subtitles inside: looking for them costs nothing.
    if (source.type === "found") yield* policy.admit({ stage: "found", seconds: source.durationSeconds })
    yield* phase("decoding")
    const media = yield* open(source, options, yield* policy.maxSeconds, policy.recording?.copy)
    const inside = captions === null ? NO_CAPTIONS : yield* searchSubtitles(media, options, captions)
    const before = distinct([...beside.warnings, ...inside.warnings])
    if (inside.transcript !== null) {
      const { transcript, speakerNames } = inside
      return yield* finishCaptions(options, transcript, { speakerNames, warnings: before })
    }
    const known = yield* policy.knownMedia?.(keysOf(media, options)) ?? Effect.succeed(null)
    const again = yield* reuse(known, options, before, phase)
    if (again !== null) return again
    yield* policy.admit({ stage: "opened", seconds: media.durationSeconds })
    const listened = yield* listen(media, options, policy)
    const recording = yield* media.recording ?? Effect.succeed(null)
    if (recording !== null) yield* policy.recording?.keep(recording) ?? Effect.void
    yield* phase("enriching")
    const maker = options.transcriptText === undefined ? engine.capabilities.id : ALIGNER
    const warnings = distinct([...before, ...listened.warnings])
    return yield* finish({ ...listened, options, origin: "engine", engine: maker, warnings }, staff)
  })

  return { transcribe, open, keysOf, unopenedKey, makers }
})
