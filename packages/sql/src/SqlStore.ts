import { JobNews } from "@earmark/service"
import { Layer } from "effect"
import * as Pglite from "./pglite/Pglite.js"
import * as Postgres from "./postgres/Postgres.js"
import * as AccountLinksSql from "./stores/AccountLinksSql.js"
import * as AccountsSql from "./stores/AccountsSql.js"
import * as ApiKeysSql from "./stores/ApiKeysSql.js"
import * as FiguresSql from "./stores/FiguresSql.js"
import * as IdempotencySql from "./stores/IdempotencySql.js"
import * as JobOutboxSql from "./stores/JobOutboxSql.js"
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
  JobOutboxSql.layer,
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

/**
 * Every store on an embedded database. In a directory, what was acknowledged survives the end of the process, however it ends, but not
 * a power loss or a crash of the system. One process at a time has the directory.
 */
export const layerPglite = (options: Pglite.PgliteOptions) =>
  Layer.provide(layerStores, Pglite.layer(options))

/** Brings an embedded database up to date, as opening it does; answers how many steps that took. */
export const migratePglite = Pglite.migrate

/** Brings the database of a server up to date, as opening it with `migrate: "run"` does; answers how many steps that took. */
export const migratePostgres = Postgres.migrate
