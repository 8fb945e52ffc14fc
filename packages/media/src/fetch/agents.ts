import { EventEmitter } from "node:events"
import { Agent, type ClientRequestArgs } from "node:http"
import { type RequestOptions, Agent as TlsAgent } from "node:https"
import { isIP, type LookupFunction, Socket } from "node:net"
import { rootCertificates, TLSSocket } from "node:tls"
import type { IsAllowed } from "./address.js"
import { BLOCKED, CONNECT_TIMED_OUT, GuardError } from "./failures.js"
import type { Resolve } from "./resolve.js"

interface Rules {
  readonly isAllowed: IsAllowed
  readonly resolve: Resolve
  readonly connectTimeout: number
  /** Certificates of authorities, in PEM, that are trusted beside the usual ones. */
  readonly authorities: ReadonlyArray<string>
}

/** The rules as they are for one scheme. */
interface Guard extends Omit<Rules, "isAllowed"> {
  readonly isAllowed: (address: string) => boolean
}

const guardFor = (protocol: keyof Agents, { isAllowed, ...rules }: Rules): Guard => ({
  ...rules,
  isAllowed: (address) => isAllowed(address, protocol),
})

/** The agents that open sockets to allowed addresses only, one for each scheme. No socket is used twice. */
export interface Agents {
  readonly "http:": Agent
  readonly "https:": Agent
}

/** A name is looked up once, here, inside the connecting socket: what was checked is what is connected to. */
const checkedLookup =
  ({ resolve, isAllowed }: Guard): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const checked = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = checked
        if (first === undefined) callback(new GuardError("ENOTFOUND"), "")
        else if (!addresses.every(isAllowed)) callback(new GuardError(BLOCKED), "")
        else if (options.all === true) callback(null, checked)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    )
  }

const guarded = <S>(socket: S, { isAllowed, connectTimeout }: Guard): S => {
  if (!(socket instanceof Socket)) return socket
  socket.setTimeout(connectTimeout, () => {
    if (socket.connecting || (socket instanceof TLSSocket && !socket.authorized)) {
      socket.destroy(new GuardError(CONNECT_TIMED_OUT))
    }
  })
  // The last word: whatever led here, not a byte is sent to an address that is not allowed.
  socket.prependOnceListener("connect", () => {
    if (!isAllowed(socket.remoteAddress ?? "")) socket.destroy(new GuardError(BLOCKED))
  })
  // node-fetch listens here to find chunked answers that were cut off, and takes whole ones for such when their end comes in two
  // pieces or has trailers. Node's own parser reports the real ones.
  Object.defineProperty(socket, "prependListener", {
    value: (event: string, listener: (...values: ReadonlyArray<unknown>) => void) =>
      event === "close" ? socket : EventEmitter.prototype.prependListener.call(socket, event, listener),
  })
  return socket
}

export const makeAgents = (rules: Rules): Agents => {
  const [plain, secure] = [guardFor("http:", rules), guardFor("https:", rules)]
  const options = { keepAlive: false, autoSelectFamily: true }

  class GuardedAgent extends Agent {
    override createConnection(...[request, callback]: Parameters<Agent["createConnection"]>) {
      return guarded(super.createConnection(request, callback), plain)
    }
  }

  class GuardedTlsAgent extends TlsAgent {
    override createConnection(
      request: ClientRequestArgs & RequestOptions,
      callback?: Parameters<TlsAgent["createConnection"]>[1],
    ) {
      return guarded(super.createConnection(request, callback), secure)
    }
  }

  return {
    "http:": new GuardedAgent({ ...options, lookup: checkedLookup(plain) }),
    "https:": new GuardedTlsAgent({
      ...options,
      lookup: checkedLookup(secure),
      // Said outright, since an environment variable could turn it off.
      rejectUnauthorized: true,
      maxCachedSessions: 0,
      ...(rules.authorities.length > 0 ? { ca: [...rootCertificates, ...rules.authorities] } : {}),
    }),
  }
}
