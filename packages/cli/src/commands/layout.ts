/** How captions are laid out: the same options wherever captions are written. */
import type { CaptionProfileName } from "@earmark/core/captions"
import { Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { type CommandFailed, usage } from "../CommandFailed.js"

const PROFILES = ["standard", "podcast", "netflix"] as const satisfies ReadonlyArray<CaptionProfileName>

export const cues = Options.choice("cues", PROFILES).pipe(
  Options.withDescription(
    "The rules that captions are cut by: standard (42x2), podcast (32x2) or netflix (42x2, hard gaps).",
  ),
)

export const maxChars = Options.integer("max-chars").pipe(
  Options.withDescription("The longest line of a caption in characters, from 16 to 80."),
  Options.optional,
)

export const maxLines = Options.integer("max-lines").pipe(
  Options.withDescription("How many lines a caption has at most, from 1 to 3."),
  Options.optional,
)

export interface Layout {
  readonly profile: CaptionProfileName | undefined
  readonly maxCharsPerLine: number | undefined
  readonly maxLines: number | undefined
}

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
