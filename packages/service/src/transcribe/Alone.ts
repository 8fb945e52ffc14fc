import type { OptionsSnapshot, Phase } from "@earmark/core/jobs"
import { warningOf } from "@earmark/core/jobs"
import { assemble, type Transcript } from "@earmark/core/transcripts"
import { Duration, Effect, type Scope } from "effect"
import type { Finished } from "../ports/records.js"
import { type ResolvedSource, SourceResolver } from "../ports/SourceResolver.js"
import { Diarizer, type Media, MediaDecoder, Translator, type WorkFailed, Writer } from "../ports/Speech.js"
import { reusedWarnings } from "../ports/stored.js"
import { isHeard, isWhole, type MediaKeys, type ResultKeys, resultKeysOf } from "../useCases/cacheKey.js"
import { type CaptionSearch, searchCaptions, searchSubtitles } from "../useCases/captionBacked.js"
import { finish, finishHeard } from "../useCases/finishing.js"
import { keepSource } from "../useCases/Sources.js"
import { type Checkpoints, planOf } from "./Checkpoints.js"
import { makeHearChannels, separateChannels } from "./hearChannels.js"
import { mediaLength } from "./mediaLength.js"
import { noWords } from "./noWords.js"
import { type Hearing, makeTranscriber } from "./Transcriber.js"
import { distinct } from "./warnings.js"
import { windowsOf } from "./windowsOf.js"

/** What is to be turned into text: a file of this machine, or what a link was found to be. */
export type AloneSource =
  | { readonly type: "file"; readonly path: string }
  | { readonly type: "found"; readonly resolved: ResolvedSource }

/** A finished transcript, and what it has in common with the one that is wanted. */
export interface Known {
  readonly finished: Finished
  readonly by: keyof ResultKeys
}

/** What the one who waits wants to see. */
export interface Watching<E> {
  readonly checkpoints: Checkpoints<E>
  /** Every span in the order of time, as soon as all before it are there. */
  readonly follow?: Hearing<E>["follow"]
  /** What is being done now. */
  readonly phase?: (phase: Phase) => Effect.Effect<void, E>
  /**
   * Asked once no text of the publisher will do, before anything is downloaded, and again before it is heard: whether it may be.
   * With the length of the media in seconds, as far as it is known by then; `isOpen` when no more will be known.
   */
  readonly listening?: (seconds: number | null, isOpen: boolean) => Effect.Effect<void, WorkFailed | E>
  /**
   * Asked before anything is heard, with what decides about the result: the bytes of the media, what was asked for, and who works on
   * it. A finished transcript that was made under the same keys stands for this one; of one that only heard the same, the words do.
   */
  readonly known?: (keys: MediaKeys) => Effect.Effect<Known | null, E>
}

const WINDOW_TIMEOUT = Duration.minutes(2)

const NO_LIMIT = { allowAutomaticCaptions: false }

const NO_CAPTIONS: CaptionSearch = { transcript: null, speakerNames: {}, warnings: [] }

/**
 * Transcribes without a store, an account or a price: what the command line does by itself. Interruption stops everything.
 * Naming a quality, either one, asks to listen: then no captions are looked for.
 */
export const makeTranscribeAlone = Effect.gen(function* () {
  const resolver = yield* SourceResolver
  const decoder = yield* MediaDecoder
  const diarizer = yield* Diarizer
  const staff = { writer: yield* Writer, translator: yield* Translator }
  const transcriber = yield* makeTranscriber({ windowTimeout: WINDOW_TIMEOUT })
  const { engine, transcribe } = transcriber
  const hearChannels = makeHearChannels(transcriber)

  const open = (source: AloneSource, options: OptionsSnapshot) => {
    const { startAt, endAt, language } = options
    const listening = { startAt, endAt, language, windows: windowsOf(engine, options), maxSeconds: null }
    return source.type === "file"
      ? decoder.openFile(source.path, listening)
      : decoder.open(keepSource(source.resolved, source.resolved.mediaUrl).source, listening)
  }

  const published = (source: AloneSource, options: OptionsSnapshot) => {
    if (source.type === "file" || options.qualityExplicit) return Effect.succeed(NO_CAPTIONS)
    const { source: kept, durationSeconds } = keepSource(source.resolved, source.resolved.mediaUrl)
    return searchCaptions({ source: kept, options, durationSeconds }, resolver, NO_LIMIT)
  }

  const written = (
    options: OptionsSnapshot,
    transcript: Transcript,
    found: Pick<CaptionSearch, "speakerNames" | "warnings">,
  ) => {
    const made = { transcript, options, engine: null, detectedLanguage: null, voice: null }
    return finish({ ...made, ...found, origin: "captions", credits: 0 }, staff)
  }

  const listen = Effect.fnUntraced(function* <E>(
    media: Media,
    options: OptionsSnapshot,
    { checkpoints, follow, phase = () => Effect.void }: Watching<E>,
  ) {
    yield* phase("transcribing")
    if (options.channels === true) {
      const apart = yield* separateChannels(media)
      if (apart !== null) return yield* hearChannels(media, apart, options, checkpoints, follow)
    }
    const heard = yield* transcribe(media, options, checkpoints, follow === undefined ? {} : { follow })
    if (heard.words.length === 0) return yield* noWords(heard)
    if (options.diarize) yield* phase("diarizing")
    const turns = options.diarize ? yield* heard.turns : []
    const seconds = mediaLength(media.durationSeconds, heard, options)
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
    }
  })

  const keysOf = (media: Media, options: OptionsSnapshot): MediaKeys => ({
    ...resultKeysOf(planOf(media, engine.capabilities, options), options, { engine, diarizer, ...staff }),
    ...(media.bytes !== undefined && { bytes: media.bytes }),
  })

  /**
   * What can be told of a file of this machine before it is heard: its length, and what `known` would be asked for. No keys where
   * nothing is known of media of its size: then its container alone may tell the length, and no program has to.
   */
  const look = Effect.fn("lookAlone")(function* (
    path: string,
    options: OptionsSnapshot,
    mayBeKnown: (bytes: number) => boolean,
  ) {
    const measured = yield* decoder.measure?.(path) ?? Effect.succeed(null)
    if (measured !== null && !mayBeKnown(measured.bytes))
      return { durationSeconds: measured.durationSeconds, keys: null }
    const media = yield* open({ type: "file", path }, options)
    return { durationSeconds: media.durationSeconds, keys: keysOf(media, options) }
  })

  const transcribeAlone = Effect.fn("transcribeAlone")(function* <E = never>(
    source: AloneSource,
    options: OptionsSnapshot,
    watching: Watching<E>,
  ): Effect.fn.Return<Finished, WorkFailed | E, Scope.Scope> {
    const phase = watching.phase ?? (() => Effect.void)
    yield* phase("fetching")
    const beside = yield* published(source, options)
    const { transcript: text, ...ofText } = beside
    if (text !== null) return yield* written(options, text, ofText)
    const listening = watching.listening ?? (() => Effect.void)
    // A file of this machine may have subtitles inside: looking for them costs nothing.
    if (source.type === "found") yield* listening(source.resolved.durationSeconds, false)
    yield* phase("decoding")
    const media = yield* open(source, options)
    const inside = options.qualityExplicit ? NO_CAPTIONS : yield* searchSubtitles(media, options, NO_LIMIT)
    const before = distinct([...beside.warnings, ...inside.warnings])
    if (inside.transcript !== null) {
      const { transcript, speakerNames } = inside
      return yield* written(options, transcript, { speakerNames, warnings: before })
    }
    const known = yield* watching.known?.(keysOf(media, options)) ?? Effect.succeed(null)
    if (known !== null && isHeard(known.finished)) {
      const { by } = known
      const warnings = distinct([...before, ...reusedWarnings(known.finished)])
      const finished: Finished = { ...known.finished, warnings }
      if (by === "whole" && isWhole(finished))
        return { ...finished, origin: "cache" as const, billedMinutes: 0, credits: 0 }
      yield* phase("enriching")
      return yield* finishHeard(finished, options, staff)
    }
    yield* listening(media.durationSeconds, true)
    const listened = yield* listen(media, options, watching)
    yield* phase("enriching")
    const warnings = distinct([...before, ...listened.warnings])
    return yield* finish(
      { ...listened, options, origin: "engine", engine: engine.capabilities.id, warnings, credits: 0 },
      staff,
    )
  })

  return { transcribe: transcribeAlone, look }
})
