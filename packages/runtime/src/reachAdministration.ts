import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { Administration } from "@earmark/service"
import { Context, Effect, Layer } from "effect"
import { callOrOpen } from "./control/callOrOpen.js"
import { localAdministration } from "./localAdministration.js"
import { databaseFolder } from "./parts/database.js"
import { openDataFolder } from "./parts/dataFolder.js"
import type { Settings } from "./settings/Settings.js"
import { explainStart } from "./startFailure.js"

const opened = (settings: Settings) =>
  Effect.map(Layer.build(localAdministration(settings)), Context.get(Administration))

const embedded = (settings: Settings) =>
  Effect.gen(function* () {
    const folder = yield* openDataFolder(settings.dataDir)
    const reached = yield* callOrOpen(folder, opened(settings))
    return reached.type === "called" ? reached.administration : reached.value
  })

/** Whether a command would make the embedded store, since there is none yet. In the place of a file none can be made. */
export const isNewStore = (settings: Settings): Effect.Effect<boolean> =>
  Effect.sync(() => {
    const folder = resolve(settings.dataDir)
    const isFree = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? true
    return settings.databaseUrl === null && isFree && !existsSync(databaseFolder(folder))
  })

/**
 * The administration, whether or not a service runs: over Postgres, else through the control socket of the process that holds
 * the embedded store, else by opening that store for as long as the layer lives.
 */
export const reachAdministration = (settings: Settings) =>
  Layer.scoped(Administration, settings.databaseUrl === null ? embedded(settings) : opened(settings)).pipe(
    Layer.mapError(explainStart),
  )
