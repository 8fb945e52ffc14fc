import { statSync } from "node:fs"
import { resolve } from "node:path"
import { Effect, Layer } from "effect"
import { localAdministration } from "./localAdministration.js"
import { hasDatabase } from "./parts/database.js"
import { readFolder } from "./parts/dataFolder.js"
import type { Settings } from "./settings/Settings.js"
import { explainStart } from "./startFailure.js"

/**
 * Whether a command would make the embedded store, since there is none yet. In the place of a file, or below one, none can be made, and
 * what a folder holds that may not be read is not known.
 */
export const isNewStore = (settings: Settings): Effect.Effect<boolean> =>
  Effect.try(() => {
    const folder = resolve(settings.dataDir)
    const found = statSync(folder, { throwIfNoEntry: false })
    if (found?.isDirectory()) readFolder(folder)
    const isFree = found?.isDirectory() ?? true
    return settings.databaseUrl === null && isFree && !hasDatabase(folder)
  }).pipe(Effect.orElseSucceed(() => false))

/** The administration on the store of the settings, whether or not a service uses it. */
export const reachAdministration = (settings: Settings) =>
  Layer.mapError(localAdministration(settings), explainStart)
