import { Data } from "effect"

/** Why a library cannot be published as files. */
export class SiteRefused extends Data.TaggedError("SiteRefused")<{
  readonly reason:
    | "nothing_finished"
    | "foreign_file"
    | "changed_file"
    | "unwritable"
    | "no_episodes"
    /** No episode of the feed has a transcript. */
    | "no_transcripts_of_feed"
    | "not_found"
    | "unreadable"
  /** What it is about: a path, or the id of a transcription. */
  readonly subject: string
  readonly message: string
}> {}
