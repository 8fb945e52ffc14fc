import { realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { closeAll } from "../privateFolder.js"
import { userFolder } from "./userFolder.js"

/** What cannot be closed is used all the same: what is kept here is the user's own text, and no key. */
const closeToOthers = (folder: string) =>
  Effect.ignore(
    Effect.try(() => {
      const found = statSync(folder, { throwIfNoEntry: false })
      if (found !== undefined && (found.mode & 0o077) !== 0) closeAll(realpathSync(folder))
    }),
  )

/** Where this user keeps what a later run needs to know, and the library. */
export const stateFolder: Effect.Effect<string> = Effect.tap(
  userFolder("XDG_STATE_HOME", ".local/state"),
  closeToOthers,
)

/** Where this machine keeps what it has transcribed. */
export const libraryFolder = Effect.map(stateFolder, (state) => join(state, "library"))
