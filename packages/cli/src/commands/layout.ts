/** How captions are laid out: the same options wherever captions are written. */
import type { Layout } from "@earmark/batch"
import type { CaptionProfileName } from "@earmark/core/captions"
import { Effect, Option } from "effect"
import { type CommandFailed, usage } from "../CommandFailed.js"

const within = (
  option: string,
  given: Option.Option<number>,
  least: number,
  most: number,
): Effect.Effect<number | undefined, CommandFailed> =>
  Option.match(given, {
    onNone: () => Effect.succeed(undefined),
    onSome: (value) =>
      value >= least && value <= most
        ? Effect.succeed(value)
        : Effect.fail(usage(`${option} must be from ${least} to ${most}, and got ${value}.`)),
  })

export const readLayout = (given: {
  readonly cues: Option.Option<CaptionProfileName>
  readonly maxChars: Option.Option<number>
  readonly maxLines: Option.Option<number>
}): Effect.Effect<Layout, CommandFailed> =>
  Effect.all({
    profile: Effect.succeed(Option.getOrUndefined(given.cues)),
    maxCharsPerLine: within("--max-chars", given.maxChars, 16, 80),
    maxLines: within("--max-lines", given.maxLines, 1, 3),
  })
