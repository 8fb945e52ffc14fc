import type { AccountId } from "@earmark/core/jobs"
import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "./JobStore.js"
import type { StorageError } from "./StorageError.js"

/** The model of what an account has allowed a client. Other records may belong to one. */
export const GRANT = "Grant"

/** The model of who is signed in in a browser, to let apps in. */
export const APP_SIGN_IN = "Session"

/** The model of what an authorization server signs with, sealed in `payload.sealed`. */
export const SERVER_KEYS = "Keys"

/** Something that an authorization server keeps: a client, a grant, a token, a code, a session, a key. */
export interface OAuthRecord {
  /** What kind of thing it is. */
  readonly model: string
  readonly id: string
  /** Plain JSON. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly account: AccountId | null
  /** The id of the grant that it belongs to. */
  readonly grant: string | null
  /** A second name, for those that have one. */
  readonly uid: string | null
  readonly createdAt: number
  /** Null: it stays. */
  readonly expiresAt: number | null
  readonly consumedAt: number | null
}

export interface NewOAuthRecord
  extends Omit<OAuthRecord, "createdAt" | "expiresAt" | "consumedAt" | "account" | "grant" | "uid"> {
  readonly account?: AccountId | null
  readonly grant?: string | null
  readonly uid?: string | null
  /** From now on; null: for good. */
  readonly seconds: number | null
}

/**
 * What an authorization server keeps. What is kept is a copy: changing what was handed over changes nothing. What is past its time is
 * not there any more, for every method alike.
 */
export class OAuthRecords extends Context.Tag("@earmark/service/OAuthRecords")<
  OAuthRecords,
  {
    /**
     * Stores a record in the place of the one with its model and id; one that was consumed stays consumed. A record of a grant that is
     * not there, or not any more, is dropped.
     */
    readonly save: (record: NewOAuthRecord) => Effect.Effect<void, StorageError>
    /** Stores a record where there is none with its model and id. Of racing calls one does; the answer tells. */
    readonly add: (record: NewOAuthRecord) => Effect.Effect<boolean, StorageError>
    readonly find: (model: string, id: string) => Effect.Effect<OAuthRecord | null, StorageError>
    readonly findByUid: (model: string, uid: string) => Effect.Effect<OAuthRecord | null, StorageError>
    /** The records of a model: those of one account, or all. */
    readonly list: (
      model: string,
      page: PageRequest & { readonly account: AccountId | null },
    ) => Effect.Effect<Page<OAuthRecord>, StorageError>
    /** Marks a record as used up. Of any number of racing calls, on any number of processes, exactly one is answered true. */
    readonly consume: (model: string, id: string) => Effect.Effect<boolean, StorageError>
    /** A record that is there stays for so long from now on. */
    readonly renew: (model: string, id: string, seconds: number) => Effect.Effect<void, StorageError>
    readonly remove: (model: string, id: string) => Effect.Effect<void, StorageError>
    /** Removes a grant and every record of it, at once; whether it was there. Nothing is stored for it afterwards. */
    readonly revokeGrant: (grant: string) => Effect.Effect<boolean, StorageError>
    /** Forgets at most so many records that are past their time; how many there were. */
    readonly sweep: (limit: number) => Effect.Effect<number, StorageError>
  }
>() {}
