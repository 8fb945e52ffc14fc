/** What clients say of themselves, put right before the library looks at it. */
import { isLoopback } from "../pages/client.js"
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

/** What is put in place of what a client says of itself: a loopback address of a program has any port (RFC 8252, 7.3). */
export const correctionsOf = (metadata: ClientMetadata): ClientMetadata =>
  isProgram(metadata) ? { application_type: "native" } : {}
