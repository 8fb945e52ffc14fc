/** What people write, read by the rules of batch, with the names that options have on a command line. */
import { extname } from "node:path"
import {
  type BatchRefused,
  type Layout,
  type NameOption,
  type NewNames,
  readLanguage as readWrittenLanguage,
  readLayout as readWrittenLayout,
  readNames as readWrittenNames,
  type Written,
} from "@earmark/batch"
import type { ExportFormat } from "@earmark/core/captions"
import { exportFormatNames } from "@earmark/core/captions/formats"
import { suggestion } from "@earmark/core/text"
import { Effect } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import { WORD_FORMATS } from "../grammar/formats.js"

export const nameOption: NameOption = (option) =>
  option === "output" ? "-o" : `--${option.replace("_", "-")}`

/** With the options and commands that help. */
export const refused = ({ reason, subject, message }: BatchRefused): CommandFailed => {
  switch (reason) {
    case "not_a_feed":
      return usage(
        `--episode, --all, --latest, --since and --match choose episodes of feeds, and ${subject} is not a feed. Transcribe it without them, in a separate run.`,
      )
    case "format_without_word_times":
      return usage(
        `--word-level: ${subject} cannot show the time of each word. Take ${WORD_FORMATS.join(", ")}, or leave --word-level out.`,
      )
    case "format_not_served":
      return usage(`${message} Take another format, or add --local: this machine does.`)
    case "channels_not_served":
      return usage(
        "--channels is for this machine: a server does not take channels for speakers. Add --local.",
      )
    case "feed_list_invalid":
    case "manifest_unwritable":
    case "result_present":
      return failed(message)
    default:
      return usage(message)
  }
}

export const readNames = (given: string): Effect.Effect<NewNames, CommandFailed> =>
  Effect.mapError(readWrittenNames(given), refused)

/** How captions are laid out: the same options wherever captions are written. */
export const readLayout = (
  given: Pick<Written, "cues" | "maxChars" | "maxLines">,
): Effect.Effect<Layout, CommandFailed> => Effect.mapError(readWrittenLayout(given, nameOption), refused)

/** The language of a text that is there: a code that is known. */
export const readLanguage = (given: string | undefined): Effect.Effect<string | undefined, CommandFailed> =>
  Effect.mapError(readWrittenLanguage(given), refused)

/** A file whose format is told by its name alone, and is not. */
export const noFormatIn = (path: string, known = exportFormatNames) =>
  usage(
    `${path} has no ending that names a format.${suggestion(extname(path).slice(1), known)} Add --format FORMAT.`,
  )

/** Why a format cannot be printed where people read; null when it can, or when standard output goes elsewhere. */
export const notForTerminal = (format: ExportFormat): string | null =>
  format === "docx" && process.stdout.isTTY ? "A docx file is not for a terminal. Add -o FILE." : null
