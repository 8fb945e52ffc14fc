import { JobNews, type StorageError } from "@earmark/service"
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Stream } from "effect"
import type { ClientBase } from "pg"
import { restoreBackup } from "./backup/restoreBackup.js"
import { writeBackup } from "./backup/writeBackup.js"
import * as Embedded from "./embedded/Embedded.js"
import type { EmbeddedRefused } from "./embedded/EmbeddedRefused.js"
import { findPrograms } from "./embedded/programs.js"
import { migrateClient } from "./migrations/migrate.js"
import type { StoreInUse } from "./pglite/directoryLock.js"
import * as Pglite from "./pglite/Pglite.js"
import * as Postgres from "./postgres/Postgres.js"
import * as AccountLinksSql from "./stores/AccountLinksSql.js"
import * as AccountsSql from "./stores/AccountsSql.js"
import * as ApiKeysSql from "./stores/ApiKeysSql.js"
import * as EditStoreSql from "./stores/EditStoreSql.js"
import * as ExtraStoreSql from "./stores/ExtraStoreSql.js"
import * as FiguresSql from "./stores/FiguresSql.js"
import * as IdempotencySql from "./stores/IdempotencySql.js"
import * as JobQueueSql from "./stores/JobQueueSql.js"
import * as JobStoreSql from "./stores/JobStoreSql.js"
import * as LedgerSql from "./stores/LedgerSql.js"
import * as OAuthRecordsSql from "./stores/OAuthRecordsSql.js"
import * as PaymentStoreSql from "./stores/PaymentStoreSql.js"
import * as PublicationStoreSql from "./stores/PublicationStoreSql.js"
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
  EditStoreSql.layer,
  ExtraStoreSql.layer,
  PublicationStoreSql.layer,
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
 * Every store on a database of WebAssembly, for systems without the Postgres from npm. In a directory, what was acknowledged survives the
 * end of the process, however it ends, but not a power loss or a crash of the system. One process at a time has the directory.
 */
export const layerPglite = (options: Pglite.PgliteOptions) =>
  Layer.provide(layerStores, Pglite.layer(options))

type WithClient<E> = <A, E1>(use: (client: ClientBase) => Effect.Effect<A, E1>) => Effect.Effect<A, E | E1>

/** What is done with a whole database. */
const wholeOf = <E>(withClient: WithClient<E>) => ({
  /** Writes it as a backup. It has to be up to date. */
  backup: <E1>(write: (line: string) => Effect.Effect<void, E1>) =>
    withClient((client) =>
      Effect.zipRight(migrateClient(client, { only: "check" }), writeBackup(client, write)),
    ),
  /** Reads a backup into it, all of it or nothing. It has to be empty. */
  restore: <E1>(lines: Stream.Stream<string, E1>) => withClient((client) => restoreBackup(client, lines)),
})

/** A database as a whole: its stores, its migrations (which answer how many steps they took), and its backups. */
export const onPostgres = (options: Postgres.PostgresOptions) => ({
  layer: layerPostgres(options),
  migrate: Postgres.migrate(options),
  ...wholeOf<StorageError>((use) => Postgres.withClient(options, use)),
})

export const onEmbedded = (options: Embedded.EmbeddedOptions) => ({
  layer: layerEmbedded(options),
  migrate: Embedded.migrate(options),
  ...wholeOf<EmbeddedRefused | StorageError>((use) => Embedded.withClient(options, use)),
})

export const onPglite = (options: Pglite.PgliteOptions) => ({
  layer: layerPglite(options),
  migrate: Pglite.migrate(options),
  ...wholeOf<StorageError | StoreInUse>((use) => Pglite.withClient(options, use)),
})

export { carryOver } from "./embedded/carryOver.js"
