// @effect-diagnostics strictEffectProvide:off -- one operation opens the store for itself
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { Administration, AdministrationRefused, type Operation, operations } from "@earmark/service"
import { Effect, Layer, Schema } from "effect"
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

/** A mistyped folder is no empty store. */
export const requireStore = (settings: Settings): Effect.Effect<void, AdministrationRefused> =>
  Effect.flatMap(isNewStore(settings), (isNew) =>
    isNew
      ? new AdministrationRefused({
          code: "store_missing",
          message: `There is no store in ${settings.dataDir}. Set EARMARK_DATA_DIR to the folder of yours, or make one: earmark accounts create.`,
        })
      : Effect.void,
  )

/**
 * Does one operation on the store of the settings, wherever it is held. Request and answer are those of the wire. Only an account that
 * is created makes a store.
 */
export const administer = <Request, RequestWire, Answer, AnswerWire>(
  settings: Settings,
  operation: Operation<Request, RequestWire, Answer, AnswerWire>,
  request: RequestWire,
): Effect.Effect<AnswerWire, AdministrationRefused> =>
  Effect.gen(function* () {
    // A request that is refused makes no store.
    yield* Administration.check(operation, request)
    if (operation.name !== operations.createAccount.name) yield* requireStore(settings)
    const answer = yield* Effect.provide(
      Administration.ask(operation, request),
      reachAdministration(settings),
    )
    return yield* Effect.orDie(Schema.encode(operation.answer)(answer))
  })
