import type { OptionsSnapshot, Phase } from "@earmark/core/jobs"
import { Duration, Effect, type Scope } from "effect"
import type { Finished } from "../ports/records.js"
import type { ResolvedSource } from "../ports/SourceResolver.js"
import type { WorkFailed } from "../ports/Speech.js"
import type { MediaKeys } from "../useCases/cacheKey.js"
import { keepSource } from "../useCases/Sources.js"
import type { Checkpoints } from "./Checkpoints.js"
import type { Hearing } from "./Transcriber.js"
import { type Known, type MediaSource, makeTranscribeSource } from "./transcribeSource.js"

/** What is to be turned into text: a file of this machine, or what a link was found to be. */
export type AloneSource =
  | { readonly type: "file"; readonly path: string }
  | { readonly type: "found"; readonly resolved: ResolvedSource }

/** What the caller wants to see and to decide. */
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

const PEOPLE_ONLY = { allowAutomaticCaptions: false }

const mediaOf = (source: AloneSource): MediaSource => {
  if (source.type === "file") return source
  const { source: kept, durationSeconds } = keepSource(source.resolved, source.resolved.mediaUrl)
  return { type: "found", source: kept, durationSeconds }
}

/**
 * Transcribes without a store, an account or a price: what the command line does by itself. Interruption stops everything.
 * Naming a quality, either one, asks to listen: then no captions are looked for.
 */
export const makeTranscribeAlone = Effect.gen(function* () {
  const pipeline = yield* makeTranscribeSource({ windowTimeout: WINDOW_TIMEOUT })

  /** What can be told of a file of this machine before it is heard: its length, and what `known` would be asked for. */
  const look = Effect.fn("lookAlone")(function* (path: string, options: OptionsSnapshot) {
    const media = yield* pipeline.open({ type: "file", path }, options, null)
    return { durationSeconds: media.durationSeconds, keys: pipeline.keysOf(media, options) }
  })

  const transcribe = Effect.fnUntraced(function* <E = never>(
    source: AloneSource,
    options: OptionsSnapshot,
    watching: Watching<E>,
  ): Effect.fn.Return<Finished, WorkFailed | E, Scope.Scope> {
    const { checkpoints, follow, known, listening, phase = () => Effect.void } = watching
    yield* phase("fetching")
    return yield* pipeline.transcribe<E>(mediaOf(source), options, {
      ...{ checkpoints, phase },
      ...(follow !== undefined && { follow }),
      ...(known !== undefined && { knownMedia: known }),
      captions: options.qualityExplicit ? null : PEOPLE_ONLY,
      maxSeconds: Effect.succeed(null),
      admit: ({ stage, seconds }) =>
        stage === "heard" || listening === undefined ? Effect.void : listening(seconds, stage === "opened"),
    })
  })

  return { transcribe, look, unopenedKey: pipeline.unopenedKey }
})
