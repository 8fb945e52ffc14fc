/** What people write, read with the names that options have on a command line. */
import {
  type ListOptions,
  readFeedList,
  readAsked as readWritten,
  readList as readWrittenList,
  type Written,
} from "@earmark/batch"
import { Effect } from "effect"
import { nameOption, refused } from "./readLayout.js"

export const readAsked = (written: Written) => Effect.mapError(readWritten(written, nameOption), refused)

export const readList = (text: string, options: Omit<ListOptions, "nameOption">) =>
  Effect.mapError(readWrittenList(text, { ...options, nameOption }), refused)

/** The feeds in the text of an OPML list. */
export const readFeeds = (text: string, from: string) => Effect.mapError(readFeedList(text, from), refused)
