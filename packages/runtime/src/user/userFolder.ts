import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import { Config, Effect } from "effect"

/** The folder of Earmark below one that a variable names. By the rules for such folders a relative path does not count. */
export const userFolder = (variable: string, otherwise: string): Effect.Effect<string> =>
  Config.string(variable).pipe(
    Effect.orElseSucceed(() => ""),
    Effect.map((given) => join(isAbsolute(given) ? given : join(homedir(), otherwise), "earmark")),
  )
