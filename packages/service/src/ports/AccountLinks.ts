import type { AccountId, AccountNotFound } from "@earmark/core/jobs"
import { Context, type Effect } from "effect"
import type { StorageError } from "./StorageError.js"

/** Somebody as an identity provider knows them. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** Whose account somebody is who signed in elsewhere. Somebody has at most one account; an account may have many of them. */
export class AccountLinks extends Context.Tag("@earmark/service/AccountLinks")<
  AccountLinks,
  {
    readonly find: (identity: Identity) => Effect.Effect<AccountId | null, StorageError>
    /** Links once: of racing calls the first wins, and all are answered the account that is linked. */
    readonly link: (
      identity: Identity,
      account: AccountId,
    ) => Effect.Effect<AccountId, AccountNotFound | StorageError>
    /** Whether there was a link. */
    readonly unlink: (identity: Identity) => Effect.Effect<boolean, StorageError>
  }
>() {}
