import type { AccountId, KeyId } from "@earmark/core/jobs"
import type { Scope } from "@earmark/core/wire"

/** Whom a request comes from, as the host has verified it. */
export interface Caller {
  readonly account: AccountId
  readonly scopes: ReadonlyArray<Scope>
  /** The API key that the request came with; null for a token of an app. */
  readonly key: KeyId | null
  /** Whether jobs are scripted and free. */
  readonly isTest: boolean
  /** Whether it can come back with more scopes: apps with tokens can, and are sent a challenge; keys get an error of the tool. */
  readonly canAskForScopes: boolean
}

/** The same for everything that may share a session. */
export const ownerOf = ({ account, isTest }: Caller): string => `${account} ${isTest ? "test" : "live"}`
