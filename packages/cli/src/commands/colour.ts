import { Options } from "@effect/cli"

export const colour = Options.choice("color", ["auto", "always", "never"]).pipe(
  Options.withDescription("Colours: on a terminal unless NO_COLOR is set (auto), always, or never."),
  Options.withDefault("auto" as const),
)
