import type { AccountId, KeyId } from "@earmark/core/jobs"
import type { Scope } from "@earmark/core/wire"
import { Context, Data, type Effect } from "effect"
import type { Identity } from "./AccountLinks.js"
import type { StorageError } from "./StorageError.js"

/** Somebody who wants to sign in, in a browser. */
export interface SignInAttempt {
  /** Names the attempt. Nobody can guess it, and it is never used again. */
  readonly id: string
  /** What the sign-in is for: an app that asks for access, or a session in the console. */
  readonly purpose: "app" | "console"
  /** Whether the person is signed in and shows it once more: another site asks them then, too. */
  readonly isAgain?: boolean
  /** Where another site sends the browser back to; what it adds to the address is the answer. */
  readonly returnTo: string
}

export interface SignInField {
  /** The name of the field, and of its answer. */
  readonly name: string
  readonly label: string
  readonly kind: "text" | "secret"
}

/** What the browser is shown, or where it is sent. */
export type SignInStep =
  | { readonly type: "form"; readonly explanation: string; readonly fields: ReadonlyArray<SignInField> }
  | { readonly type: "redirect"; readonly url: string }

/** Who signed in, and what an app or the session may do at most. */
export interface SignedIn {
  readonly account: AccountId
  readonly scopes: ReadonlyArray<Scope>
  /** Whether jobs are to be scripted and free. */
  readonly isTest: boolean
  /** The API key that they signed in with: the jobs of an app count towards its limit. Absent where there is none. */
  readonly key?: KeyId
  /** Who they are at the other site; absent where none told. */
  readonly identity?: Identity
}

/** Nobody is signed in; the sentence is for the person in front of the browser. */
export class SignInRefused extends Data.TaggedError("SignInRefused")<{ readonly message: string }> {}

/** How people sign in when an app asks for access to their account, and to the console. */
export class SignIn extends Context.Tag("@earmark/service/SignIn")<
  SignIn,
  {
    /** Where answers come from: what is in the address of a browser that fills in a form is never one. */
    readonly answeredBy: "form" | "address"
    /** The other site, as people know it, such as `id.example.org`. */
    readonly site?: string
    readonly begin: (attempt: SignInAttempt) => Effect.Effect<SignInStep, SignInRefused | StorageError>
    /** What was filled in, or what the other site added to the address. */
    readonly finish: (
      attempt: SignInAttempt,
      answers: Readonly<Record<string, string>>,
    ) => Effect.Effect<SignedIn, SignInRefused | StorageError>
  }
>() {}
