/** What is asked of sources, read with the names that options have on a command line. Loaded by what transcribes or reads lists. */
import { readFeedList, readAsked as readWritten, type Written } from "@earmark/batch"
import { Effect } from "effect"
import { nameOption, refused } from "./readOptions.js"

export const readAsked = (written: Written) => Effect.mapError(readWritten(written, nameOption), refused)

/** The feeds in the text of an OPML list. */
export const readFeeds = (text: string, from: string) => Effect.mapError(readFeedList(text, from), refused)
