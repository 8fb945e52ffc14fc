import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import { Config, Effect } from "effect"

/** Where this user keeps what a later run needs to know. By the rules for such folders a relative path does not count. */
export const stateFolder: Effect.Effect<string> = Config.string("XDG_STATE_HOME").pipe(
  Effect.orElseSucceed(() => ""),
  Effect.map((given) => join(isAbsolute(given) ? given : join(homedir(), ".local", "state"), "earmark")),
)
