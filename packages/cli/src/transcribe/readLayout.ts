/** How captions are laid out and speakers named, read with the names that options have on a command line. */
import {
  type BatchRefused,
  type Layout,
  type NameOption,
  type NewNames,
  readLayout as readWrittenLayout,
  readNames as readWrittenNames,
} from "@earmark/batch"
import type { CaptionProfileName } from "@earmark/core/captions"
import { isKnownLanguage, languageCodeOf } from "@earmark/core/text"
import { Effect, Option } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"

export const nameOption: NameOption = (option) => `--${option.replace("_", "-")}`

export const refused = ({ reason, message }: BatchRefused): CommandFailed =>
  (reason === "feed_list_invalid" ? failed : usage)(message)

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

/** The language of a text that is there: a code that is known. */
export const readLanguage = (
  given: Option.Option<string>,
): Effect.Effect<string | undefined, CommandFailed> => {
  if (Option.isNone(given)) return Effect.succeed(undefined)
  const code = languageCodeOf(given.value)
  return code !== null && isKnownLanguage(code)
    ? Effect.succeed(code)
    : usage(`Unknown language "${given.value}". Use a code such as en, de or pt-BR.`)
}
