import type { Account, Identity } from "@earmark/core/wire"
import { DateTime } from "effect"
import type { Bearer } from "../ports/Accounts.js"
import type { Session } from "./sessions.js"

/** What is told of whoever calls. */
export const identityOf = (
  { id, name, limits }: Pick<Account, "id" | "name" | "limits">,
  {
    scopes,
    isTest,
    session,
  }: Pick<Bearer, "scopes"> & { readonly isTest: boolean; readonly session?: Session | undefined },
  features: Identity["features"],
): Identity => ({
  id,
  name,
  scopes,
  isTest,
  role: session?.isOperator === true ? "operator" : "account",
  limits,
  features,
  signIn: session === undefined ? null : { at: DateTime.unsafeMake(session.signedInAt), session: session.id },
})
