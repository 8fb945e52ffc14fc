/** What is asked of a source, as people write it: on a command line, or in a list. */
import type { CaptionProfileName } from "@earmark/core/captions"
import { BatchRefused } from "../BatchRefused.js"

/** What is left out was not asked for. */
export interface Written {
  readonly format?: string | undefined
  readonly diarize?: boolean | undefined
  readonly speakers?: string | undefined
  readonly channels?: boolean | undefined
  readonly language?: string | undefined
  readonly quality?: "fast" | "accurate" | undefined
  readonly vocabulary?: string | undefined
  readonly start?: string | undefined
  readonly end?: string | undefined
  readonly episode?: string | undefined
  /** Instead of `episode`, where a number would be a GUID too. */
  readonly guid?: string | undefined
  readonly summary?: boolean | undefined
  readonly chapters?: boolean | undefined
  readonly translate?: string | undefined
  readonly wordLevel?: boolean | undefined
  readonly cues?: CaptionProfileName | undefined
  readonly maxChars?: number | undefined
  readonly maxLines?: number | undefined
  readonly name?: string | undefined
}

/** The options that errors name, as lists name them. */
export type OptionName =
  | "format"
  | "diarize"
  | "speakers"
  | "channels"
  | "vocabulary"
  | "start"
  | "end"
  | "name"
  | "max_chars"
  | "max_lines"
  | "output"

/** What a host calls an option. */
export type NameOption = (option: OptionName) => string

export const asInLists: NameOption = (option) => `"${option}"`

export const refusedOption = (subject: OptionName | "language", message: string): BatchRefused =>
  new BatchRefused({ reason: "option_invalid", subject, message })
