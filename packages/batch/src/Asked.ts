/** What is asked of one source. */
import type { CaptionProfileName, ExportFormat } from "@earmark/core/captions"
import type { RequestedOptions } from "@earmark/core/jobs"
import type { Template } from "./results/naming.js"

/** Names of speakers by their labels; null takes a name away. */
export type NewNames = Readonly<Record<string, string | null>>

/** How captions are laid out. */
export interface Layout {
  readonly profile: CaptionProfileName | undefined
  readonly maxCharsPerLine: number | undefined
  readonly maxLines: number | undefined
}

/** Which episode of a feed; the newest when null. */
export type EpisodeChoice = { readonly guid: string } | { readonly index: number } | null

/** Which episodes of a feed, newest first; those that fit all that is said. */
export interface EpisodesWanted {
  readonly latest: number | null
  /** Milliseconds since 1970. */
  readonly since: number | null
  /** In the title. */
  readonly match: string | null
}

export interface Asked {
  readonly options: Partial<RequestedOptions> & { readonly channels?: boolean | undefined }
  /** Empty: the format of the run. */
  readonly formats: ReadonlyArray<ExportFormat>
  readonly wordLevel: boolean
  readonly layout: Layout
  /** What speakers are called, by their labels. */
  readonly names: NewNames
  readonly episode: EpisodeChoice
  /** How results are named; null: after their source. */
  readonly name: Template | null
}
