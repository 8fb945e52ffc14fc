import { SqlStore } from "@earmark/sql"
import { Effect, Layer } from "effect"
import { callOrOpen } from "./control/callOrOpen.js"
import { databaseFolder, postgresOptions } from "./parts/database.js"
import { openDataFolder } from "./parts/dataFolder.js"
import { secrets } from "./parts/secretsKey.js"
import type { Settings } from "./settings/Settings.js"
import { explainStart } from "./startFailure.js"

/** What a migration came to. */
export interface Migrated {
  readonly store: "postgres" | "embedded"
  /** Steps that were pending, and are done now. */
  readonly applied: number
}

/** Brings the store up to date. A process that holds the embedded one did so when it started. */
export const migrateStore = (settings: Settings) =>
  Effect.gen(function* () {
    if (settings.databaseUrl !== null) {
      const applied = yield* SqlStore.migratePostgres(postgresOptions(settings, settings.databaseUrl))
      return { store: "postgres", applied } satisfies Migrated
    }
    const folder = yield* openDataFolder(settings.dataDir)
    // A store that is made here needs its secrets key beside it.
    yield* Layer.build(secrets(settings))
    const directory = databaseFolder(folder)
    const reached = yield* callOrOpen(folder, SqlStore.migratePglite({ directory, thread: false }))
    return {
      store: "embedded",
      applied: reached.type === "called" ? 0 : reached.value,
    } satisfies Migrated
  }).pipe(Effect.scoped, Effect.mapError(explainStart))
