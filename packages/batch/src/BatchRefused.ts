import { Data } from "effect"

/** Why a run cannot begin, or go on: the request is wrong, or something that it names cannot be used. */
export class BatchRefused extends Data.TaggedError("BatchRefused")<{
  readonly reason:
    | "not_a_feed"
    | "name_invalid"
    /** An option cannot have that value, or not together with another one. */
    | "option_invalid"
    | "list_invalid"
    /** A list of feeds cannot be read. */
    | "feed_list_invalid"
    | "manifest_unwritable"
    /** A file that nobody named is at the place of a result. */
    | "result_present"
    /** The format cannot show the time of each word. */
    | "format_without_word_times"
    /** The server does not write the format. */
    | "format_not_served"
    /** A server does not take channels for speakers. */
    | "channels_not_served"
  /** What it is about: a path, a source, a format, an option as lists name it, or the text of a pattern. */
  readonly subject: string
  readonly message: string
}> {}
