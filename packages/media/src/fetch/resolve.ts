import { lookup, Resolver } from "node:dns/promises"
import { GuardError } from "./failures.js"

/** The addresses behind a name. Fails with the error of the name service. */
export type Resolve = (hostname: string) => Promise<ReadonlyArray<string>>

/** As the system does it, with its files and its local names. A name whose server is slow holds one of very few threads. */
export const resolveBySystem: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

const SURELY_NOT: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"])

const codeOf = (result: PromiseSettledResult<ReadonlyArray<string>>): unknown =>
  result.status === "rejected" ? result.reason.code : "ENODATA"

/**
 * As the name servers say, and nobody else: no names of the local network. Any number of names may be slow at once without keeping the
 * others waiting, so this is for names that users write.
 */
export const resolveByServers =
  (servers: ReadonlyArray<string> = []): Resolve =>
  async (hostname) => {
    // Made anew each time: it reads which servers there are, and that may change.
    const resolver = new Resolver({ timeout: 2500, tries: 3 })
    if (servers.length > 0) resolver.setServers(servers)
    const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []))
    if (addresses.length > 0) return addresses
    throw new GuardError(
      results.every((result) => SURELY_NOT.has(codeOf(result))) ? "ENOTFOUND" : "EAI_AGAIN",
    )
  }

/** The name servers, then the system: for an operator who has opened ranges of an own network, where names are often local. */
export const resolveAlsoLocally: Resolve = (hostname) =>
  resolveByServers()(hostname).catch(() => resolveBySystem(hostname))
