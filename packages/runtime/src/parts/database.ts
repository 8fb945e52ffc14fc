import { existsSync } from "node:fs"
import { join } from "node:path"
import { StorageError, StoreSettings } from "@earmark/service"
import { type PostgresOptions, SqlStore } from "@earmark/sql"
import { Effect, Layer, type Redacted, Schedule } from "effect"
import type { Settings } from "../settings/Settings.js"
import { closeContents, openDataFolder } from "./dataFolder.js"

/** Where the embedded Postgres lies, and where a database of WebAssembly does. */
const foldersIn = (dataFolder: string) => ({
  postgres: join(dataFolder, "postgres"),
  wasm: join(dataFolder, "database"),
})

/** Whether a data folder has an embedded database. */
export const hasDatabase = (dataFolder: string): boolean =>
  Object.values(foldersIn(dataFolder)).some((folder) => existsSync(folder))

/** How Postgres is reached. */
const postgresOptions = (settings: Settings, url: Redacted.Redacted<string>): PostgresOptions => ({
  url,
  maxConnections: settings.databaseConnections,
  prepare: settings.databasePrepare,
  rowSecurity: settings.databaseRowSecurity,
  migrate: settings.migrate ? "run" : "check",
})

/** Where clients reach the service, for whoever makes addresses. */
export const storeSettings = ({ baseUrl }: Settings) =>
  Layer.effect(
    StoreSettings,
    Effect.map(StoreSettings, (current) => ({ ...current, baseUrl })),
  )

/** The database of the settings: that of a server, else one in the data folder, which is a Postgres wherever that runs. */
export const databaseOf = Effect.fnUntraced(function* (settings: Settings) {
  const { databaseUrl, databaseConnections: maxConnections } = settings
  if (databaseUrl !== null)
    return { store: "postgres", ...SqlStore.onPostgres(postgresOptions(settings, databaseUrl)) } as const
  const folder = yield* openDataFolder(settings.dataDir)
  const { postgres, wasm } = foldersIn(folder)
  if (SqlStore.canEmbed()) {
    yield* SqlStore.carryOver({ from: wasm, to: postgres })
    return { store: "embedded", ...SqlStore.onEmbedded({ directory: postgres, maxConnections }) } as const
  }
  const { layer, ...rest } = SqlStore.onPglite({ directory: wasm })
  // Its engine makes files with whatever modes it likes.
  return { store: "embedded", layer: Layer.tap(layer, () => closeContents(folder)), ...rest } as const
})

/** Tells of a database that is not what we would choose. */
export const adviseDatabase = ({ databaseUrl }: Settings) =>
  databaseUrl !== null || SqlStore.canEmbed()
    ? Effect.void
    : Effect.logWarning(
        "No Postgres is available for this system. The database runs in WebAssembly: it is slower, allows one process at a time, and can lose data when the power fails. Set EARMARK_DATABASE_URL to use a Postgres server.",
      )

const isAway = (error: unknown): boolean => error instanceof StorageError && error.isTransient

/** Processes start in any order: a server that is not there yet is waited for. One that refuses is not. */
export const untilReachable = Schedule.exponential("200 millis").pipe(
  Schedule.union(Schedule.spaced("5 seconds")),
  Schedule.whileInput(isAway),
  Schedule.tapInput((error) =>
    isAway(error) ? Effect.logWarning("The database cannot be reached yet; it is waited for") : Effect.void,
  ),
)

type Database = Effect.Effect.Success<ReturnType<typeof databaseOf>>["layer"]
type Stores = Layer.Layer<Layer.Layer.Success<Database>, Layer.Layer.Error<Database>>

/** Every store of the database of the settings. */
export const database = (settings: Settings) =>
  Layer.unwrapEffect(Effect.map(databaseOf(settings), ({ layer }): Stores => layer)).pipe(
    Layer.provide(storeSettings(settings)),
  )
