import type { ExportFormat } from "@earmark/core/captions"
import type { RequestedOptions } from "@earmark/core/jobs"

/** Everything that a command line of `earmark transcribe` says. */
export interface TranscribeRequest {
  /** As they were given: files, folders, addresses, or standard input. */
  readonly sources: ReadonlyArray<string>
  /** A folder whose new files are transcribed until somebody stops it. */
  readonly watch: string | null
  /** Which episode of a feed; the newest when null. */
  readonly episode: { readonly guid: string } | { readonly index: number } | null
  readonly formats: ReadonlyArray<ExportFormat>
  readonly wordLevel: boolean
  /** Where results go, as it was given: a file, a folder, or standard output; null when nobody said. */
  readonly output: string | null
  readonly options: Partial<RequestedOptions>
  /** Instead of EARMARK_ENGINE. */
  readonly engine: string | null
  /** Also what is done already. */
  readonly force: boolean
  /** One JSON object a line for each source. */
  readonly json: boolean
  readonly quiet: boolean
}

/** How it ended. `problem` is told to the one who called, when there is one. */
export interface Ended {
  readonly exitCode: 0 | 1 | 2
  readonly problem: string | null
}
