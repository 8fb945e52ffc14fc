import { JobNews } from "@earmark/service"
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Stream } from "effect"
import type { ClientBase } from "pg"
import { restoreBackup } from "./backup/restoreBackup.js"
import { writeBackup } from "./backup/writeBackup.js"
import * as Embedded from "./embedded/Embedded.js"
import { findPrograms } from "./embedded/programs.js"
import { migrateClient } from "./migrations/migrate.js"
import * as Pglite from "./pglite/Pglite.js"
import * as Postgres from "./postgres/Postgres.js"
import * as AccountLinksSql from "./stores/AccountLinksSql.js"
import * as AccountsSql from "./stores/AccountsSql.js"
import * as ApiKeysSql from "./stores/ApiKeysSql.js"
import * as FiguresSql from "./stores/FiguresSql.js"
import * as IdempotencySql from "./stores/IdempotencySql.js"
import * as JobQueueSql from "./stores/JobQueueSql.js"
import * as JobStoreSql from "./stores/JobStoreSql.js"
import * as LedgerSql from "./stores/LedgerSql.js"
import * as OAuthRecordsSql from "./stores/OAuthRecordsSql.js"
import * as PaymentStoreSql from "./stores/PaymentStoreSql.js"
import * as RateLimiterSql from "./stores/RateLimiterSql.js"
import * as StoreKeySql from "./stores/StoreKeySql.js"
import * as UploadStoreSql from "./stores/UploadStoreSql.js"
import * as WebhookStoreSql from "./stores/WebhookStoreSql.js"

/** Every store over one database, whichever that is. */
export const layerStores = Layer.mergeAll(
  AccountLinksSql.layer,
  AccountsSql.layer,
  ApiKeysSql.layer,
  FiguresSql.layer,
  IdempotencySql.layer,
  JobQueueSql.layer,
  JobStoreSql.layer,
  LedgerSql.layer,
  OAuthRecordsSql.layer,
  PaymentStoreSql.layer,
  RateLimiterSql.layer,
  StoreKeySql.layer,
  UploadStoreSql.layer,
  WebhookStoreSql.layer,
  // What carries statements carries news.
  Layer.effect(JobNews, JobNews),
)

/** Every store on a Postgres server: for several processes, and for what must survive a power loss. */
export const layerPostgres = (options: Postgres.PostgresOptions) =>
  Layer.provide(layerStores, Postgres.layer(options))

/** The same, and the `PgClient` of its connections for rows of your own. A commit that fails is a failure here, and not a defect. */
export const layerPostgresWithClient = (options: Postgres.PostgresOptions) => {
  const database = Postgres.layer(options)
  const client = Layer.map(database, Context.pick(PgClient.PgClient, SqlClient.SqlClient))
  return Layer.merge(Layer.provide(layerStores, database), client)
}

/**
 * Every store on the Postgres that a program has a `PgClient` for. What a store writes inside of `sql.withTransaction` is part of that
 * transaction: it is there with the rows of the program, or not at all.
 */
export const layerClient = (options?: Postgres.ClientOptions) =>
  Layer.provide(layerStores, Postgres.layerClient(options))

/** Whether the Postgres from npm runs on this system: without it, `layerEmbedded` is refused. */
export const canEmbed = (): boolean => findPrograms() !== null

/**
 * Every store on a Postgres of its own in a folder. The processes of one machine that use the folder share it, start it when it does not
 * run and stop it when the last one leaves, also when they are killed. What was acknowledged survives a power loss.
 */
export const layerEmbedded = (options: Embedded.EmbeddedOptions) =>
  Layer.provide(layerStores, Embedded.layer(options))

/**
 * Every store on a database of WebAssembly, for systems without the Postgres from npm. In a directory, what was acknowledged survives the end of the process, however it ends, but not
 * a power loss or a crash of the system. One process at a time has the directory.
 */
export const layerPglite = (options: Pglite.PgliteOptions) =>
  Layer.provide(layerStores, Pglite.layer(options))

/** How the database of a directory, or that of a server, is written to a backup. It has to be up to date. */
const written = <E>(client: ClientBase, write: (line: string) => Effect.Effect<void, E>) =>
  Effect.zipRight(migrateClient(client, { only: "check" }), writeBackup(client, write))

export const backupEmbedded = <E>(
  options: Embedded.EmbeddedOptions,
  write: (line: string) => Effect.Effect<void, E>,
) => Embedded.withClient(options, (client) => written(client, write))

export const backupPglite = <E>(
  options: Pglite.PgliteOptions,
  write: (line: string) => Effect.Effect<void, E>,
) => Pglite.withClient(options, (client) => written(client, write))

export const backupPostgres = <E>(
  options: Postgres.PostgresOptions,
  write: (line: string) => Effect.Effect<void, E>,
) => Postgres.withClient(options, (client) => written(client, write))

/** Reads a backup into the database of a directory, or of a server, that is empty. All of it or nothing. */
export const restoreEmbedded = <E>(options: Embedded.EmbeddedOptions, lines: Stream.Stream<string, E>) =>
  Embedded.withClient(options, (client) => restoreBackup(client, lines))

export const restorePglite = <E>(options: Pglite.PgliteOptions, lines: Stream.Stream<string, E>) =>
  Pglite.withClient(options, (client) => restoreBackup(client, lines))

export const restorePostgres = <E>(options: Postgres.PostgresOptions, lines: Stream.Stream<string, E>) =>
  Postgres.withClient(options, (client) => restoreBackup(client, lines))

export const migrateEmbedded = Embedded.migrate

/** Brings an embedded database up to date, as opening it does; answers how many steps that took. */
export const migratePglite = Pglite.migrate

/** Brings the database of a server up to date, as opening it with `migrate: "run"` does; answers how many steps that took. */
export const migratePostgres = Postgres.migrate
