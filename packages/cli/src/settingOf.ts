import type { Setting } from "@earmark/runtime/settings"
import { Effect } from "effect"
import { type CommandFailed, usage } from "./CommandFailed.js"

/** The value of one setting. A value that is not valid fails the command. */
export const settingOf = <Value>(setting: Setting<Value>): Effect.Effect<Value, CommandFailed> =>
  Effect.mapError(setting, ({ message }) => usage(`${message}.`))
