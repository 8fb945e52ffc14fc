/** What programs say of a run. */
import type { ExportFormat } from "@earmark/core/captions"
import type { Asked, EpisodeChoice, EpisodesWanted, Layout, NewNames } from "./Asked.js"
import type { OnEvent } from "./events.js"
import type { Explain } from "./Problem.js"
import type { FeedWatch } from "./run/watchFeeds.js"

/** What is asked of sources. What is left out is not asked for. */
export interface SourceOptions {
  /** Language, speakers, part, extras: as a job of the service has them. Times are in milliseconds. */
  readonly options?: Asked["options"]
  /** Plain text when left out. */
  readonly formats?: ReadonlyArray<ExportFormat>
  /** Whether formats that can show the time of each word do. */
  readonly wordLevel?: boolean
  readonly layout?: Partial<Layout>
  /** What speakers are called, by their labels. */
  readonly names?: NewNames
  /** Which episode, of a feed; the newest when left out. */
  readonly episode?: EpisodeChoice
  /** How results are named, such as `{show}/{date} {title}`. */
  readonly name?: string
}

export interface BatchSource extends SourceOptions {
  readonly source: string
}

export interface RunOptions {
  /** A folder that all runs of a user know: what is made, claimed, begun and kept. Its `library` is the library of files. */
  readonly state: string
  readonly onEvent?: OnEvent
  /** Says in other words what is wrong with a source. */
  readonly explain?: Explain
}

export interface BatchOptions extends SourceOptions, RunOptions {
  /** Files, folders, patterns, addresses, feeds, or `-` for standard input. What one of them asks for counts more. */
  readonly sources: ReadonlyArray<string | BatchSource>
  /** The folder of the results; beside each file, and here for what is none, when left out. */
  readonly output?: string
  /** Whole feeds, as far as their episodes fit. */
  readonly episodes?: Partial<EpisodesWanted>
  /** How many sources are under way at once: 1 when left out. */
  readonly jobs?: number
  /** Also what is done already, written over what is there. */
  readonly force?: boolean
  /** Whatever has a result is done, whoever made it. */
  readonly skipExisting?: boolean
  /** Also what has failed before and would again. */
  readonly retryFailed?: boolean
  /** Nothing is transcribed: results are plans. */
  readonly dryRun?: boolean
  /** Caps of the whole run, which is never passed. */
  readonly maxMinutes?: number
  readonly maxCredits?: number
  /** A file that gets a line of JSON for each result. */
  readonly manifest?: string
  /** False: the library keeps nothing of it. */
  readonly keep?: boolean
  /** A folder whose new files are transcribed too, until the run is stopped. */
  readonly watch?: string
  /** The sources are feeds, which are looked at again and again. */
  readonly feedWatch?: FeedWatch
}
