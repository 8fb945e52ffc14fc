import { lookup } from "node:dns/promises"

/** The addresses behind a name. Fails with the error of the name service. */
export type Resolve = (hostname: string) => Promise<ReadonlyArray<string>>

/** As the system does it, with its files and its local names. A slow name holds one of very few threads. */
export const resolveBySystem: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}
