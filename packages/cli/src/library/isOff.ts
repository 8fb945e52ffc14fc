import { Config, Effect } from "effect"

/** Whether this machine keeps nothing of what it transcribes, by the settings of its user. */
export const isLibraryOff: Effect.Effect<boolean> = Config.string("EARMARK_LIBRARY").pipe(
  Effect.map((given) => given.trim().toLowerCase() === "off"),
  Effect.orElseSucceed(() => false),
)
