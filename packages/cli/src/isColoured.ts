import { Config, Effect, Option } from "effect"

const isSet = Effect.map(Effect.option(Config.nonEmptyString("NO_COLOR")), Option.isSome)

/** Whether what goes to a terminal is coloured, by what was asked for. */
export const isColoured = (asked: "auto" | "always" | "never"): Effect.Effect<boolean> =>
  asked === "auto" ? Effect.map(isSet, (isOff) => !isOff) : Effect.succeed(asked === "always")
