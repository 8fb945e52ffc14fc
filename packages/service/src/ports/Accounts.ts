import type { AccountId, AccountNotFound, KeyId, KeyNotFound } from "@earmark/core/jobs"
import type { Account, ApiKey, PatchKey, PlanLimits, Scope } from "@earmark/core/wire"
import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "./JobStore.js"
import type { StorageError } from "./StorageError.js"

/** Who uses the service. */
export class Accounts extends Context.Tag("@earmark/service/Accounts")<
  Accounts,
  {
    /** A new account with its free credits and no limits, once for each id: creating it again answers what is there. */
    readonly create: (account: {
      readonly id: AccountId
      readonly name: string
      readonly email: string | null
      readonly freeCredits: number
      readonly createdAt: number
    }) => Effect.Effect<Account, StorageError>
    readonly get: (id: AccountId) => Effect.Effect<Account, AccountNotFound | StorageError>
    /** The oldest account with an email address, whatever the case of its letters; null where there is none. */
    readonly findByEmail: (email: string) => Effect.Effect<Account | null, StorageError>
    readonly list: (page: PageRequest) => Effect.Effect<Page<Account>, StorageError>
    readonly rename: (id: AccountId, name: string) => Effect.Effect<Account, AccountNotFound | StorageError>
    readonly setLimits: (
      id: AccountId,
      limits: PlanLimits,
    ) => Effect.Effect<Account, AccountNotFound | StorageError>
  }
>() {}

/** A key as it is stored: its value only as a keyed hash. */
export interface NewKey {
  readonly id: KeyId
  readonly account: AccountId
  readonly name: string | null
  readonly hash: Uint8Array
  readonly prefix: string
  readonly last4: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: number | null
  /** The most credits that its jobs may use in a calendar month (UTC); null: no limit. */
  readonly monthlyCredits: number | null
  readonly createdAt: number
}

export interface Bearer {
  readonly key: KeyId
  readonly account: AccountId
  readonly scopes: ReadonlyArray<Scope>
}

export class ApiKeys extends Context.Tag("@earmark/service/ApiKeys")<
  ApiKeys,
  {
    /** A new key, once for each id: of those who create it again, none does. Null to them. */
    readonly create: (key: NewKey) => Effect.Effect<ApiKey | null, StorageError>
    /** Whose key this is; null for unknown, revoked and expired ones alike. Notes the use at most once a minute. */
    readonly find: (hash: Uint8Array) => Effect.Effect<Bearer | null, StorageError>
    readonly list: (account: AccountId, page: PageRequest) => Effect.Effect<Page<ApiKey>, StorageError>
    readonly get: (account: AccountId, id: KeyId) => Effect.Effect<ApiKey, KeyNotFound | StorageError>
    /** Changes what the patch names: the name of a key, its limit, or both. It stays what it was otherwise. */
    readonly update: (
      account: AccountId,
      id: KeyId,
      patch: PatchKey,
    ) => Effect.Effect<ApiKey, KeyNotFound | StorageError>
    /** A revoked key stays listed. Revoking twice changes nothing. */
    readonly revoke: (account: AccountId, id: KeyId) => Effect.Effect<ApiKey, KeyNotFound | StorageError>
  }
>() {}
