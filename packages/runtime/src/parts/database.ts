import { join } from "node:path"
import { StoreSettings } from "@earmark/service"
import { type PostgresOptions, SqlStore } from "@earmark/sql"
import { Effect, Layer, type Redacted } from "effect"
import type { Settings } from "../settings/Settings.js"
import { openDataFolder } from "./dataFolder.js"

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
      SqlStore.layerPglite({ directory: databaseFolder(folder), thread }),
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
