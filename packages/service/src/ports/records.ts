/** What stores keep of a job, beside its transcript. Times are milliseconds since 1970 by the clock of the store. */
import type {
  AccountId,
  BatchId,
  Enrichment,
  Integrity,
  JobId,
  JobState,
  Metadata,
  OptionsSnapshot,
  Origin,
  Source,
  Warning,
  WordTiming,
} from "@earmark/core/jobs"
import type { Segment } from "@earmark/core/transcripts"
import type { CaptionOffer, SourceRequest } from "./SourceResolver.js"

/** What the worker needs of a source beside its address. Plain JSON. */
export interface SourceFacts {
  /** What was asked for, when it could not be resolved yet. */
  readonly asked: SourceRequest | null
  /** Whether anybody could fetch it: only such results are shared between accounts. */
  readonly isPublic: boolean
  /** The language of the media, where its publisher names it. */
  readonly language: string | null
  readonly captions: ReadonlyArray<CaptionOffer>
}

/** Where the media comes from: what clients see, and what the worker needs. */
export interface JobSource {
  readonly shown: Source
  /** The address that the worker fetches, resolved at creation where that was possible; null: resolve it when the job runs. */
  readonly mediaUrl: string | null
  /** What was asked for, as it was asked: a link still to be resolved. */
  readonly link: string | null
  /** The same media has the same identity, whatever prefixes its address carries; null when it cannot be shared or cached. */
  readonly identity: string | null
  /** Absent for uploads. A source without facts is shared with nobody and has no captions. */
  readonly facts?: SourceFacts
  /** The span that asked for the job, where traces are collected: a `traceparent` of W3C Trace Context. */
  readonly trace?: string
}

/** A source as far as it is known. */
export interface FoundSource {
  readonly source: JobSource
  readonly title: string | null
  readonly durationSeconds: number | null
  /** Why nothing is known of it yet, in a sentence. */
  readonly nothingKnown?: string
}

export interface StoredJob {
  readonly id: JobId
  readonly account: AccountId
  readonly state: JobState
  readonly title: string | null
  readonly source: JobSource
  readonly options: OptionsSnapshot
  readonly metadata: Metadata | null
  readonly batch: BatchId | null
  readonly key: string | null
  /** Made with a test key. */
  readonly isTest: boolean
  readonly origin: Origin | null
  readonly engine: string | null
  /** Where the times of the words come from; null for captions, and where it is not known. */
  readonly wordTiming: WordTiming | null
  readonly language: string | null
  readonly detectedLanguage: { readonly code: string; readonly confidence: number } | null
  readonly durationSeconds: number | null
  readonly wordCount: number | null
  readonly billedMinutes: number | null
  readonly enrichment: Enrichment
  readonly integrity: Integrity | null
  readonly warnings: ReadonlyArray<Warning>
  /** New names for speaker labels. */
  readonly speakerNames: Readonly<Record<string, string>>
  /** How often a worker took the job up in this run. */
  readonly attempts: number
  /** How often its transcript was corrected. */
  readonly revision: number
  readonly createdAt: number
  readonly expiresAt: number | null
  /** When it was published; null where it is not. */
  readonly publishedAt: number | null
  /** One more with every change that a reader can see. */
  readonly version: number
}

export interface ChapterMark {
  readonly start: number
  readonly end: number
  readonly title: string
  readonly summary?: string
}

/** A translation, line for line. */
export interface TranslatedLines {
  readonly language: string
  readonly texts: ReadonlyArray<string>
  /** The lines that it was made from, where those of the transcript may be others by now. Never stored. */
  readonly lines?: ReadonlyArray<Segment>
}

/** What a finished job holds. Milliseconds; segments carry their words where the source has word times. */
export interface Content {
  readonly language: string | null
  readonly segments: ReadonlyArray<Segment>
  readonly text: string
  readonly summary: string | null
  readonly chapters: ReadonlyArray<ChapterMark> | null
  readonly translation: TranslatedLines | null
  /** More of them, made after the job was done. Never stored with the content. */
  readonly moreTranslations?: ReadonlyArray<TranslatedLines>
  /** How many words have estimated times since the lines were corrected. Never stored with the content. */
  readonly estimatedWords?: number
}

/** What the worker found out, and the terminal transaction writes. */
export interface Finished {
  readonly content: Content
  readonly origin: Origin
  readonly engine: string | null
  readonly wordTiming: WordTiming | null
  readonly detectedLanguage: StoredJob["detectedLanguage"]
  readonly durationSeconds: number
  readonly wordCount: number
  /** Credits to settle: at most what is held. 0 for cached and caption-backed results. */
  readonly credits: number
  readonly billedMinutes: number
  /** Minutes of sound that an engine transcribed, billed or not. 0 for cached and caption-backed results. */
  readonly minutes: number
  readonly enrichment: Enrichment
  readonly integrity: Integrity | null
  readonly warnings: ReadonlyArray<Warning>
  /** What captions call the speakers, by their labels. */
  readonly speakerNames?: StoredJob["speakerNames"]
}
