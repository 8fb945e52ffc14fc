import type { EpisodesWanted, FeedWatch, retryOf, Written } from "@earmark/batch"
import type { Target as Service } from "../remote/target.js"

/** Everything that a command line of `earmark transcribe` or `earmark feed watch` says. */
export interface TranscribeRequest {
  /** As they were given: files, folders, patterns, addresses, or standard input. */
  readonly sources: ReadonlyArray<string>
  /** A list of further sources: a file, or standard input. */
  readonly from: string | null
  /** A folder whose new files are transcribed until somebody stops it. */
  readonly watch: string | null
  readonly feedWatch: FeedWatch | null
  /** Whole feeds instead of one episode. */
  readonly episodes: EpisodesWanted | null
  /** What is asked for each source, unless its line of the list says otherwise. */
  readonly raw: Written
  /** Where results go, as it was given: a file, a folder, or standard output; null when nobody said. */
  readonly output: string | null
  /** Instead of EARMARK_ENGINE. */
  readonly engine: string | null
  /** Whether the library of this machine keeps what is made. */
  readonly keep: boolean
  /** What is tried again, with the places of its results: instead of `sources`, `raw` and `output`. */
  readonly again: NonNullable<ReturnType<typeof retryOf>> | null
  /** The server that does the work; null: this machine. */
  readonly server: Service | null
  /** How many sources are under way at once. */
  readonly jobs: number
  /** Also what is done already. */
  readonly force: boolean
  /** Whatever has a result is done, whoever made it. */
  readonly skipExisting: boolean
  /** Also what has failed before and would again. */
  readonly retryFailed: boolean
  readonly dryRun: boolean
  readonly maxMinutes: number | null
  readonly maxCredits: number | null
  /** A file that gets a line of JSON for each source. */
  readonly manifest: string | null
  /** One JSON object a line for each source. */
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly colour: "auto" | "always" | "never"
  /** The words of the command line, to go on with later. */
  readonly words: ReadonlyArray<string>
}

/** As when nothing is said. */
export const NOTHING_ASKED: TranscribeRequest = {
  sources: [],
  from: null,
  watch: null,
  feedWatch: null,
  episodes: null,
  raw: {},
  output: null,
  engine: null,
  keep: true,
  again: null,
  server: null,
  jobs: 1,
  force: false,
  skipExisting: false,
  retryFailed: false,
  dryRun: false,
  maxMinutes: null,
  maxCredits: null,
  manifest: null,
  json: false,
  quiet: false,
  verbose: false,
  colour: "auto",
  words: [],
}

/** 0 all done, 1 none, 2 the command line is wrong, 3 some. */
export type ExitCode = 0 | 1 | 2 | 3

/** How it ended. `problem` is told to the one who called, when there is one. */
export interface Ended {
  readonly exitCode: ExitCode
  readonly problem: string | null
}
