import type { BatchRequest, FeedWatch, retryOf, Written } from "@earmark/batch"
import type { Target } from "../remote/target.js"

type OfBatch = Omit<BatchRequest, "destination" | "feedWatch" | "format" | "sources" | "watch">

/** Everything that a command line of `earmark transcribe` or `earmark feed watch` says. */
export interface TranscribeRequest extends OfBatch {
  /** As they were given: files, folders, patterns, addresses, or standard input. */
  readonly sources: ReadonlyArray<string>
  /** A list of further sources: a file, or standard input. */
  readonly from: string | null
  /** A folder whose new files are transcribed until somebody stops it. */
  readonly watch: string | null
  readonly feedWatch: FeedWatch | null
  /** What is asked for each source, unless its line of the list says otherwise. */
  readonly raw: Written
  /** Where results go, as it was given: a file, a folder, or standard output; null when nobody said. */
  readonly output: string | null
  /** What is tried again, with the places of its results: instead of `sources`, `raw` and `output`. */
  readonly again: NonNullable<ReturnType<typeof retryOf>> | null
  /** The server that does the work; null: this machine. */
  readonly server: Target | null
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
