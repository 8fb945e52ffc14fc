import type { SignInAttempt, SignInStep } from "@earmark/service"
import type { JWK } from "jose"
import type { Addresses } from "../addresses.js"
import type { Records } from "./Records.js"

/** Nobody is signed in, and why, for the person in front of the browser. */
export interface NotSignedIn {
  readonly type: "refused"
  readonly message: string
  /** How long to wait before the next try; null for a person who may try at once. */
  readonly retryAfterSeconds: number | null
}

interface SomebodySignedIn {
  readonly type: "signed_in"
  /** The subject, as a word. */
  readonly subject: string
}

/** What the authorization server is made of. Plain promises: this part is loaded when the first app comes. */
export interface ServerFacts {
  readonly addresses: Addresses
  readonly records: Records
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly keys: {
    /** The first signs; all are published. */
    readonly signing: ReadonlyArray<JWK>
    readonly cookies: ReadonlyArray<string>
    readonly forms: Uint8Array
  }
  /** The guarded door, for metadata documents of clients. */
  readonly fetch: typeof globalThis.fetch
  readonly signIn: {
    readonly answeredBy: "form" | "address"
    readonly begin: (attempt: SignInAttempt) => Promise<SignInStep | NotSignedIn>
    readonly finish: (
      attempt: SignInAttempt,
      answers: Readonly<Record<string, string>>,
      /** Where the browser is. */
      address: string,
    ) => Promise<SomebodySignedIn | NotSignedIn>
  }
  /** What the account of a subject is called; null when there is none any more. */
  readonly accountName: (subject: string) => Promise<string | null>
  /** Whether what a subject signed in with is still good: its key, if it was one. */
  readonly isSignedIn: (subject: string) => Promise<boolean>
  /** Counts a request that did not show whose it is. Null while that may be told, else how many seconds to wait. */
  readonly countFailed: (address: string) => Promise<number | null>
  /** Null, or how many seconds somebody at this address has to wait before registering one more client. */
  readonly registerAfter: (address: string) => Promise<number | null>
  /** Told of what went wrong on our side. */
  readonly onError: (what: string, cause: unknown) => void
}
