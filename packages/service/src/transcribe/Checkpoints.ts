import { createHash } from "node:crypto"
import { ALIGNER_VERSION } from "@earmark/core/alignment"
import type { OptionsSnapshot } from "@earmark/core/jobs"
import type { Effect } from "effect"
import type { Span } from "../ports/JobQueue.js"
import type { EngineCapabilities, Media } from "../ports/Speech.js"

/** How far the hearing of a media file has come. */
export interface HearingProgress {
  /** Seconds on the timeline of the media before which everything was heard. Never goes back. */
  readonly heardSeconds: number
  /** The share of what is to be heard, 0 to 0.99; null while nobody knows how long it is. */
  readonly share: number | null
  /** How much longer it will take; null while that cannot be told. */
  readonly secondsLeft: number | null
}

/** Where the finished stretches of one media file are kept, so that nothing has to be heard twice. */
export interface Checkpoints<E = never> {
  /** The spans that were heard under this plan, in any order. Those of another plan are of no use, and need not be kept. */
  readonly load: (plan: string) => Effect.Effect<ReadonlyArray<Span>, E>
  /** Keeps a finished span, in any order. */
  readonly save: (span: Span) => Effect.Effect<void, E>
  readonly report: (progress: HearingProgress) => Effect.Effect<void, E>
}

/** What decides about the words of a media file, beside its sound. */
export type HearingOptions = Pick<
  OptionsSnapshot,
  "language" | "quality" | "qualityExplicit" | "vocabulary" | "diarize" | "speakers" | "startAt" | "endAt"
>

/** Names everything that the words of a window depend on: spans of one plan can be mixed, and with those of another they cannot. */
export const planOf = (
  media: Pick<Media, "fingerprint" | "cut">,
  { id, model, wordTimes }: Pick<EngineCapabilities, "id" | "model" | "wordTimes">,
  { language, quality, vocabulary }: Pick<HearingOptions, "language" | "quality" | "vocabulary">,
): string =>
  createHash("sha256")
    .update(
      JSON.stringify([
        media.fingerprint,
        media.cut,
        id,
        model,
        language,
        quality,
        vocabulary,
        ...(wordTimes ? [] : [ALIGNER_VERSION]),
      ]),
    )
    .digest("hex")
