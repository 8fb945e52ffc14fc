import { realpathSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import { closeAll } from "@earmark/runtime/privateFolder"
import { Config, Effect } from "effect"

/** What cannot be closed is used all the same: what is kept here is the user's own text, and no key. */
const closeToOthers = (folder: string) =>
  Effect.ignore(
    Effect.try(() => {
      const found = statSync(folder, { throwIfNoEntry: false })
      if (found !== undefined && (found.mode & 0o077) !== 0) closeAll(realpathSync(folder))
    }),
  )

/** Where this user keeps what a later run needs to know, and the library. By the rules for such folders a relative path does not count. */
export const stateFolder: Effect.Effect<string> = Config.string("XDG_STATE_HOME").pipe(
  Effect.orElseSucceed(() => ""),
  Effect.map((given) => join(isAbsolute(given) ? given : join(homedir(), ".local", "state"), "earmark")),
  Effect.tap(closeToOthers),
)
