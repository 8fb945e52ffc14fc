import { join } from "node:path"
import { StorageError, StoreSettings } from "@earmark/service"
import { type PostgresOptions, SqlStore } from "@earmark/sql"
import { Effect, Layer, type Redacted, Schedule } from "effect"
import type { Settings } from "../settings/Settings.js"
import { closeContents, openDataFolder } from "./dataFolder.js"

/** Where the embedded database lies. */
export const databaseFolder = (dataFolder: string): string => join(dataFolder, "database")

/** How Postgres is reached. */
export const postgresOptions = (settings: Settings, url: Redacted.Redacted<string>): PostgresOptions => ({
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

const postgres = (settings: Settings, url: Redacted.Redacted<string>) =>
  SqlStore.layerPostgres(postgresOptions(settings, url))

const embedded = (settings: Settings, { thread }: { readonly thread: boolean }) =>
  Layer.unwrapEffect(
    Effect.map(openDataFolder(settings.dataDir), (folder) =>
      SqlStore.layerPglite({ directory: databaseFolder(folder), thread }).pipe(
        // The engine makes its files with whatever modes it likes.
        Layer.tap(() => closeContents(folder)),
      ),
    ),
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

/**
 * Every store of one database. `thread`: whether the embedded one has a thread of its own; a short command does without.
 */
export const database = (settings: Settings, options: { readonly thread: boolean }) =>
  Layer.unwrapEffect(
    Effect.sync(() =>
      settings.databaseUrl === null ? embedded(settings, options) : postgres(settings, settings.databaseUrl),
    ),
  ).pipe(Layer.provide(storeSettings(settings)))
