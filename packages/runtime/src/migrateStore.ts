import { Secrets, StoreKey } from "@earmark/service"
import { Context, Effect, Layer, Redacted } from "effect"
import { database, databaseOf } from "./parts/database.js"
import { secrets } from "./parts/secretsKey.js"
import { requireStore } from "./reachAdministration.js"
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
    const context = yield* Layer.build(Layer.merge(database(settings), secrets(settings)))
    const is = Redacted.value(Context.get(context, Secrets).keys).id
    const { before, forgotten } = yield* Context.get(context, StoreKey).replace(is)
    return { was: before, is, sign_in_forgotten: forgotten > 0 } satisfies SecretsKeyChange
  }).pipe(Effect.scoped)

/** Brings the store up to date, and takes the key of the settings for good where that was asked for. */
export const migrateStore = (settings: Settings, { newSecretsKey = false }: MigrateOptions = {}) =>
  Effect.gen(function* () {
    if (newSecretsKey) yield* requireStore(settings)
    // A key that is missing is told before anything is changed, and a store in a folder gets one beside it.
    if (newSecretsKey || settings.databaseUrl === null) yield* Layer.build(secrets(settings))
    const { store, migrate } = yield* databaseOf(settings)
    const migrated: Migrated = { store, applied: yield* migrate }
    return newSecretsKey ? { ...migrated, secrets_key: yield* takeKey(settings) } : migrated
  }).pipe(Effect.scoped, Effect.mapError(explainStart))
