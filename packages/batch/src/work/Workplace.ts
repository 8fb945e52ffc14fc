/** Who does the work: this machine, or a server. Everything else of a run is the same for both. */

import type { ExportFormat } from "@earmark/core/captions"
import type {
  DoubtReason,
  Enrichment,
  OptionsSnapshot,
  Origin,
  Source as Shown,
  Warning,
  WordTiming,
} from "@earmark/core/jobs"
import type { Content, Finished, Known, MediaKeys } from "@earmark/service"
import type { Effect, Scope } from "effect"
import type { EpisodeChoice, Layout, NewNames } from "../Asked.js"
import type { KnownBySize, KnownKeys } from "../library/known.js"
import type { SourceFailed } from "../SourceFailed.js"
import type { SourceObserver } from "./SourceObserver.js"

/** Something that somebody named. */
export type Source =
  | { readonly type: "file"; readonly path: string }
  /** An address, and which episode of it where it is a feed (the newest when null). */
  | { readonly type: "link"; readonly link: string; readonly episode: EpisodeChoice }
  /** Standard input, or a pipe with a name. */
  | { readonly type: "input"; readonly path: string | null }

/** What is known of a transcript beside its text. */
export interface Facts {
  /** The job of a server, or the entry of the library of this machine. */
  readonly id: string | null
  readonly origin: Origin
  readonly engine: string | null
  readonly language: string | null
  readonly durationSeconds: number
  readonly words: number
  readonly speakers: number
  /** How much of the media was heard in this run: 0 when that is not known. */
  readonly heardSeconds: number
  readonly summary: string | null
  readonly warnings: ReadonlyArray<Warning>
  /** Where a voice was detected and no words were found, in seconds. */
  readonly gaps: ReadonlyArray<{ readonly start: number; readonly end: number }>
  /** Where the words may not be what was said, in seconds. */
  readonly doubts: ReadonlyArray<{
    readonly start: number
    readonly end: number
    readonly reason: DoubtReason
  }>
  /** Where the times of words come from; null for a text of the publisher. */
  readonly wordTiming: WordTiming | null
  readonly enrichment: Enrichment
}

/** How a transcript is written. */
interface Style {
  readonly wordLevel: boolean
  readonly layout: Layout
}

/** A finished transcript. */
export interface Made {
  readonly facts: Facts
  /** All of it, where this machine made it; a server keeps its own. */
  readonly finished: Finished | null
  readonly export: (
    format: ExportFormat,
    style: Style,
  ) => Effect.Effect<Iterable<string | Uint8Array>, SourceFailed>
  /** The same with names for its speakers; those that it does not have are told. */
  readonly named: (names: NewNames, notice: SourceObserver["notice"]) => Effect.Effect<Made, SourceFailed>
  /** The same with its text as people have corrected it since. */
  readonly corrected: (content: Content) => Made
  /** The results are written: what was kept to go on with can go. */
  readonly settled: Effect.Effect<void>
}

/** How the one who waits follows the work, and may still refuse it. */
export interface Following {
  readonly line: SourceObserver
  /**
   * Asked before anything is heard, with the length as far as it is known, and once more when nothing more will be known (`isFinal`).
   * Not asked when no hearing is needed.
   */
  readonly allow: (seconds: number | null, isFinal: boolean) => Effect.Effect<void, SourceFailed>
  /** Where this machine works: a finished transcript of which all, or what was heard, stands for the one that is wanted. */
  readonly known: (keys: MediaKeys) => Effect.Effect<Known | null>
  /** What a link turned out to be, where only the server that reads it knows. */
  readonly identified: (identity: Partial<Identity>) => void
}

/** What a source is: enough to find it, and to ask for it again. */
export interface Identity {
  readonly title: string | null
  /** Of a file, from the root on. */
  readonly path: string | null
  /** The feed that names it. */
  readonly feed: string | null
  readonly guid: string | null
  /** Its number in a feed of which several episodes are wanted. */
  readonly index: number | null
  /** Where its media is on the web. */
  readonly mediaUrl: string | null
}

/** What can be told before the work. */
interface Look {
  /** The length; null when it has none, or nobody knows it yet. */
  readonly seconds: number | null
  /** What decides about its words and extras; null when that is not known yet, or not here. */
  readonly keys: KnownKeys | null
  /** Whether a server has it already, and charges nothing. */
  readonly isCached?: boolean
  /** What a link turned out to be, where only the server that reads it knows. */
  readonly identity?: Partial<Identity>
}

/** A source that was found. */
export interface Found {
  readonly title: string | null
  /** The podcast that it belongs to. */
  readonly show: string | null
  readonly publishedAt: number | null
  readonly guid: string | null
  /** Its page on the web. */
  readonly link: string | null
  /** Where its media is on the web, without a login. */
  readonly mediaUrl: string | null
  /** The length that its publisher tells; null when nobody said. */
  readonly seconds: number | null
  /** Whether the publisher has a text for it, so that probably nothing has to be heard. */
  readonly hasText: boolean
  /** The source as the wire shows it; null where a server does that. */
  readonly shown: Shown | null
  /** What it is, whatever it is called. */
  readonly identity: string
  /** Other contents have another one. */
  readonly state: string
  /** Also where it costs a look into the file. Keys only where media of its size may be known already. */
  readonly look: (
    options: OptionsSnapshot,
    known: KnownBySize,
  ) => Effect.Effect<Look, SourceFailed, Scope.Scope>
  readonly transcribe: (
    options: OptionsSnapshot,
    following: Following,
  ) => Effect.Effect<Made, SourceFailed, Scope.Scope>
}

/** What is known of a source of which nobody said anything. */
export const NOTHING_SAID = {
  title: null,
  show: null,
  publishedAt: null,
  guid: null,
  link: null,
  mediaUrl: null,
  seconds: null,
  hasText: false,
  shown: null,
} as const

/** A podcast with its episodes, newest first. */
export interface Show {
  /** Where it lives; null for what is piped in. */
  readonly address: string | null
  readonly title: string | null
  readonly episodes: ReadonlyArray<Found & { readonly guid: string; readonly index: number }>
}

/** What a server says to tell one state of a file from another. */
export interface Tags {
  readonly etag: string | null
  readonly lastModified: string | null
}

export interface Changed {
  readonly hasChanged: boolean
  readonly tags: Tags
}

export interface Workplace {
  /** The address of the server that does the work; null for this machine. */
  readonly server: string | null
  /** Whether the server charges credits; false for this machine. A server is asked once. */
  readonly takesCredits: Effect.Effect<boolean>
  readonly find: (source: Source) => Effect.Effect<Found, SourceFailed, Scope.Scope>
  /** Every episode of a feed. */
  readonly show: (link: string) => Effect.Effect<Show, SourceFailed>
  /** Whether a feed is another one than when it had these tags. When that cannot be told, it has changed. */
  readonly changed: (address: string, tags: Tags) => Effect.Effect<Changed>
}
