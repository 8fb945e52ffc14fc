import { Config, Effect, Layer, Option } from "effect"
import * as Pglite from "./pglite/Pglite.js"
import * as Postgres from "./postgres/Postgres.js"
import * as AccountsSql from "./stores/AccountsSql.js"
import * as ApiKeysSql from "./stores/ApiKeysSql.js"
import * as IdempotencySql from "./stores/IdempotencySql.js"
import * as JobOutboxSql from "./stores/JobOutboxSql.js"
import * as JobQueueSql from "./stores/JobQueueSql.js"
import * as JobStoreSql from "./stores/JobStoreSql.js"
import * as LedgerSql from "./stores/LedgerSql.js"
import * as RateLimiterSql from "./stores/RateLimiterSql.js"
import * as UploadStoreSql from "./stores/UploadStoreSql.js"
import * as WebhookStoreSql from "./stores/WebhookStoreSql.js"

/** Every store over one database, whichever that is. */
export const layerStores = Layer.mergeAll(
  AccountsSql.layer,
  ApiKeysSql.layer,
  IdempotencySql.layer,
  JobOutboxSql.layer,
  JobQueueSql.layer,
  JobStoreSql.layer,
  LedgerSql.layer,
  RateLimiterSql.layer,
  UploadStoreSql.layer,
  WebhookStoreSql.layer,
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

const onOff = (name: string, byDefault: "on" | "off") =>
  Config.literal(
    "on",
    "off",
  )(name).pipe(
    Config.withDefault(byDefault),
    Config.map((value) => value === "on"),
  )

const settings = Config.all({
  url: Config.option(Config.redacted("EARMARK_DATABASE_URL")),
  directory: Config.string("EARMARK_DATA_DIR").pipe(Config.withDefault(".earmark")),
  maxConnections: Config.integer("EARMARK_DATABASE_CONNECTIONS").pipe(
    Config.validate({ message: "must be at least 1", validation: (count) => count >= 1 }),
    Config.withDefault(10),
  ),
  prepare: onOff("EARMARK_DATABASE_PREPARE", "on"),
  rowSecurity: onOff("EARMARK_DATABASE_ROW_SECURITY", "off"),
  migrate: onOff("EARMARK_MIGRATE", "on"),
})

/** Postgres where `EARMARK_DATABASE_URL` is set, else the embedded database in `EARMARK_DATA_DIR`. */
export const layerConfig = Layer.unwrapEffect(
  Effect.map(settings, ({ url, directory, migrate, ...options }) =>
    Option.match(url, {
      onNone: () => Layer.provide(layerStores, Pglite.layer({ directory: `${directory}/database` })),
      onSome: (server) =>
        Layer.provide(
          layerStores,
          Postgres.layer({ ...options, url: server, migrate: migrate ? "run" : "check" }),
        ),
    }),
  ),
)
