import { Effect } from "effect"
import type { Layout } from "../Asked.js"
import type { BatchRefused } from "../BatchRefused.js"
import { type NameOption, refusedOption, type Written } from "./Written.js"

const within = (
  option: "max_chars" | "max_lines",
  nameOption: NameOption,
  value: number | undefined,
  least: number,
  most: number,
): Effect.Effect<number | undefined, BatchRefused> =>
  value === undefined || (value >= least && value <= most)
    ? Effect.succeed(value)
    : Effect.fail(
        refusedOption(option, `${nameOption(option)} must be from ${least} to ${most}, and got ${value}.`),
      )

/** How captions are laid out: the same options wherever captions are written. */
export const readLayout = (
  { cues, maxChars, maxLines }: Pick<Written, "cues" | "maxChars" | "maxLines">,
  nameOption: NameOption,
): Effect.Effect<Layout, BatchRefused> =>
  Effect.all({
    profile: Effect.succeed(cues),
    maxCharsPerLine: within("max_chars", nameOption, maxChars, 16, 80),
    maxLines: within("max_lines", nameOption, maxLines, 1, 3),
  })
