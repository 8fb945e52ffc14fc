import { AdministrationRefused, Secrets, StoreKey } from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { Context, Effect, Layer, Redacted } from "effect"
import { callOrOpen } from "./control/callOrOpen.js"
import { database, databaseFolder, postgresOptions } from "./parts/database.js"
import { closeContents, openDataFolder } from "./parts/dataFolder.js"
import { secrets } from "./parts/secretsKey.js"
import type { Settings } from "./settings/Settings.js"
import { explainStart } from "./startFailure.js"

/** What a wanted change of the secrets key came to. */
export interface SecretsKeyChange {
  /** The id of the key that the store had; null where it had no record of one. */
  readonly was: string | null
  readonly is: string
  /** Whether agents are asked to sign in once more. */
  readonly sign_in_forgotten: boolean
}

/** What a migration came to. */
export interface Migrated {
  readonly store: "postgres" | "embedded"
  /** Steps that were pending, and are done now. */
  readonly applied: number
  /** Where a new key was asked for. */
  readonly secrets_key?: SecretsKeyChange
}

export interface MigrateOptions {
  /** The key of the settings takes the place of the one that the store was made with. */
  readonly newSecretsKey?: boolean
}

const takeKey = (settings: Settings) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.merge(database(settings, { thread: false }), secrets(settings)))
    const is = Redacted.value(Context.get(context, Secrets).keys).id
    const { before, forgotten } = yield* Context.get(context, StoreKey).replace(is)
    return { was: before, is, sign_in_forgotten: forgotten > 0 } satisfies SecretsKeyChange
  }).pipe(Effect.scoped)

/** The key of the settings, taken for good where that was asked for. */
const andKey = (settings: Settings, { newSecretsKey = false }: MigrateOptions) =>
  newSecretsKey ? Effect.map(takeKey(settings), (secrets_key) => ({ secrets_key })) : Effect.succeed({})

const heldWithOldKey = (folder: string) =>
  new AdministrationRefused({
    code: "store_in_use",
    message: `The process that has the store in ${folder} works with the old secrets key. Stop it, and run this again.`,
  })

const onServer = (settings: Settings, url: Redacted.Redacted<string>, options: MigrateOptions) =>
  Effect.gen(function* () {
    // A key that is missing is told before anything is changed.
    if (options.newSecretsKey === true) yield* Layer.build(secrets(settings))
    const applied = yield* SqlStore.migratePostgres(postgresOptions(settings, url))
    return { store: "postgres", applied, ...(yield* andKey(settings, options)) } satisfies Migrated
  })

const onFolder = (settings: Settings, options: MigrateOptions) =>
  Effect.gen(function* () {
    const folder = yield* openDataFolder(settings.dataDir)
    // A store that is made here needs its secrets key beside it.
    yield* Layer.build(secrets(settings))
    const work = Effect.gen(function* () {
      const directory = databaseFolder(folder)
      const applied = yield* SqlStore.migratePglite({ directory, thread: false })
      yield* closeContents(folder)
      return { applied, ...(yield* andKey(settings, options)) }
    })
    const reached = yield* callOrOpen(folder, work)
    if (reached.type === "opened") return { store: "embedded", ...reached.value } satisfies Migrated
    if (options.newSecretsKey === true) return yield* heldWithOldKey(folder)
    return { store: "embedded", applied: 0 } satisfies Migrated
  })

/** Brings the store up to date. A process that holds the embedded one did so when it started. */
export const migrateStore = (settings: Settings, options: MigrateOptions = {}) =>
  Effect.gen(function* () {
    const { databaseUrl } = settings
    const migrated: Migrated =
      databaseUrl === null
        ? yield* onFolder(settings, options)
        : yield* onServer(settings, databaseUrl, options)
    return migrated
  }).pipe(Effect.scoped, Effect.mapError(explainStart))
