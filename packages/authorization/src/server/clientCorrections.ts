/** What clients say of themselves, put right before the library looks at it. */
import { isLoopback } from "../pages/client.js"
import { appScopesIn } from "../scopes.js"
import type { ClientMetadata } from "./clientLimits.js"

const addressesIn = ({ redirect_uris }: ClientMetadata): ReadonlyArray<URL> =>
  Array.isArray(redirect_uris)
    ? redirect_uris.flatMap((each) => (typeof each === "string" && URL.canParse(each) ? [new URL(each)] : []))
    : []

const isOfProgram = (address: URL): boolean => address.protocol !== "https:"

/** Programs often leave out that they are no website, and have addresses that only programs can have. */
const isProgram = (metadata: ClientMetadata): boolean => {
  const addresses = addressesIn(metadata)
  // The library takes no program with TLS on its own computer.
  const isSecureHere = addresses.some((each) => !isOfProgram(each) && isLoopback(each))
  return addresses.some(isOfProgram) && !isSecureHere
}

/** The grants and kinds of answer that there are here. */
export const GRANT_TYPES = ["authorization_code", "refresh_token"] as const
export const RESPONSE_TYPES = ["code"] as const

/** Those of a list that are known here; the list itself when it is none, or none of it is known: the library says what is wrong with it. */
const knownOf = (given: unknown, known: ReadonlyArray<string>): unknown => {
  const kept = Array.isArray(given) ? given.filter((each) => known.includes(each)) : []
  return kept.length === 0 ? given : kept
}

/** The scopes that are registered. A document registers none: they would be all that the client may ever ask for. */
const scopeOf = ({ client_id, scope }: ClientMetadata): unknown => {
  if (typeof scope !== "string") return scope
  const isDocument = typeof client_id === "string" && client_id.startsWith("https://")
  const known = appScopesIn(scope)
  return isDocument || known.length === 0 ? undefined : known.join(" ")
}

/**
 * What is put in place of what a client says of itself: a loopback address of a program has any port (RFC 8252, 7.3), and what is unknown
 * here is left out (RFC 7591, 2).
 */
export const correctionsOf = (metadata: ClientMetadata): ClientMetadata => ({
  ...(isProgram(metadata) && { application_type: "native" }),
  grant_types: knownOf(metadata.grant_types, GRANT_TYPES),
  response_types: knownOf(metadata.response_types, RESPONSE_TYPES),
  scope: scopeOf(metadata),
})
