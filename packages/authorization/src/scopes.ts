import type { Scope } from "@earmark/core/wire"

/** What apps can be given, and are given unless they ask for less. Keys and payments are never an app's. */
export const APP_SCOPES = ["transcriptions:read", "transcriptions:write", "billing:read"] as const

export type AppScope = (typeof APP_SCOPES)[number]

/** The scope by which the library knows OpenID Connect. Apps ask for it by habit; it is not given, since they get no identity here. */
export const OPENID = "openid"

const OF_OPENID: ReadonlyArray<string> = [OPENID, "offline_access", "profile", "email"]

/** Whether a text with scopes names none of a resource: nothing at all, or what clients of OpenID Connect name by habit. */
export const namesNoScope = (text: string): boolean =>
  text.split(" ").every((scope) => scope === "" || OF_OPENID.includes(scope))

const isAppScope = (scope: string): scope is AppScope => APP_SCOPES.some((each) => each === scope)

/** The scopes in a text with blanks between that apps can be given, each once. */
export const appScopesIn = (text: string): ReadonlyArray<AppScope> => {
  const named = new Set(text.split(" "))
  return APP_SCOPES.filter((scope) => named.has(scope))
}

/** Those of the scopes that apps can be given. */
export const appScopesOf = (scopes: ReadonlyArray<Scope>): ReadonlyArray<AppScope> =>
  scopes.filter(isAppScope)
