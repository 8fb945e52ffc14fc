/** What people write, read with the names that options have on a command line. */
import {
  type BatchRefused,
  type Layout,
  type ListOptions,
  type NameOption,
  type NewNames,
  readFeedList,
  readAsked as readWritten,
  readLayout as readWrittenLayout,
  readList as readWrittenList,
  readNames as readWrittenNames,
  type Written,
} from "@earmark/batch"
import type { CaptionProfileName } from "@earmark/core/captions"
import { Effect, Option } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"

const nameOption: NameOption = (option) => `--${option.replace("_", "-")}`

const refused = ({ reason, message }: BatchRefused): CommandFailed =>
  (reason === "feed_list_invalid" ? failed : usage)(message)

export const readAsked = (written: Written) => Effect.mapError(readWritten(written, nameOption), refused)

export const readList = (text: string, options: Omit<ListOptions, "nameOption">) =>
  Effect.mapError(readWrittenList(text, { ...options, nameOption }), refused)

/** The feeds in the text of an OPML list. */
export const readFeeds = (text: string, from: string) => Effect.mapError(readFeedList(text, from), refused)

export const readNames = (given: string): Effect.Effect<NewNames, CommandFailed> =>
  Effect.mapError(readWrittenNames(given), refused)

/** How captions are laid out: the same options wherever captions are written. */
export const readLayout = (given: {
  readonly cues: Option.Option<CaptionProfileName>
  readonly maxChars: Option.Option<number>
  readonly maxLines: Option.Option<number>
}): Effect.Effect<Layout, CommandFailed> =>
  Effect.mapError(
    readWrittenLayout(
      {
        cues: Option.getOrUndefined(given.cues),
        maxChars: Option.getOrUndefined(given.maxChars),
        maxLines: Option.getOrUndefined(given.maxLines),
      },
      nameOption,
    ),
    refused,
  )
