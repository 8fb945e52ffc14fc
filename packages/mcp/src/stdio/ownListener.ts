// @effect-diagnostics globalFetch:off -- the client takes a plain fetch, and this is one with a check before it
/** A key for "the service on this machine" goes only to a listener that is ours: any local user may listen on a port that is free. */
import { readFileSync } from "node:fs"

const LISTENING = "0A"
const LOCAL_ADDRESS = 1
const STATE = 3
const UID = 7

/** The users that listen on a port of this machine, as its kernel tells; null where it does not. */
const listenersOn = (port: number): ReadonlyArray<number> | null => {
  const users: Array<number> = []
  let isKnown = false
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    try {
      for (const line of readFileSync(table, "utf8").split("\n").slice(1)) {
        const columns = line.trim().split(/\s+/)
        const listens = columns[STATE] === LISTENING
        const at = Number.parseInt(columns[LOCAL_ADDRESS]?.split(":")[1] ?? "", 16)
        if (listens && at === port) users.push(Number(columns[UID]))
      }
      isKnown = true
    } catch {
      // No IPv6, or another system.
    }
  }
  return isKnown ? users : null
}

/** Why no key is sent to a port of this machine; null when whoever listens there is this user, or root, who can read the key anyway. */
const whyNotOurs = (port: number): string | null => {
  const users = listenersOn(port)
  if (users === null)
    return "this system does not tell whose server listens there, so no key is sent unless you name its address"
  if (users.length === 0) return "nothing listens there"
  return users.every((user) => user === 0 || user === process.getuid?.())
    ? null
    : "another user listens there, so no key is sent unless you name its address"
}

/**
 * `fetch` for a service of this machine that nobody has named. Looked at before each request: a service that has ended leaves its port to
 * anybody. Requests elsewhere (bytes of an upload, say) have no key.
 */
export const ownFetchFor = (baseUrl: string): typeof globalThis.fetch => {
  const own = new URL(baseUrl)
  return async (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input)
    const why = origin === own.origin ? whyNotOurs(Number(own.port)) : null
    if (why !== null) throw new Error(why)
    return globalThis.fetch(input, init)
  }
}
