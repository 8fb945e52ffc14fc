import { randomBytes, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { connect, isIP, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type Cidr, isAllowedAddress, isAllowedPort } from "@earmark/core/links"
import { Effect, type Scope } from "effect"
import { type Resolve, resolveBySystem } from "../fetch/resolve.js"

export interface GuardedProxyOptions {
  readonly allow: ReadonlyArray<Cidr>
  readonly resolve?: Resolve
  /** Bytes that may come in through it in all. */
  readonly maxBytes: number
}

const USER = "earmark"
const SECRET_BYTES = 24

const CONNECT_TIMEOUT = 10_000
const IDLE_TIMEOUT = 30_000

/** `host:port` as the first line of a CONNECT has it. */
const targetOf = (text: string | undefined): { readonly host: string; readonly port: number } | null => {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^:/?#@\s]+)):(\d{1,5})$/i.exec(text ?? "") ?? []
  const host = bracketed ?? plain
  return host === undefined ? null : { host, port: Number(port) }
}

/** The addresses of a host, all of them allowed; none when one is not. */
const allowedAddresses = async (
  host: string,
  { allow, resolve = resolveBySystem }: GuardedProxyOptions,
): Promise<ReadonlyArray<string>> => {
  // The parser of addresses makes plain ones of all the odd ways to write a number.
  const plain = URL.canParse(`http://${host}/`)
    ? new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, "")
    : host
  const addresses = isIP(host) !== 0 || isIP(plain) !== 0 ? [plain] : await resolve(host)
  return addresses.every((address) => isAllowedAddress(address, allow)) ? addresses : []
}

const CHALLENGE = { "Proxy-Authenticate": "Basic" }
const UNAUTHENTICATED = "407 Proxy Authentication Required"

const refuse = (client: Duplex, status: string): void => {
  const challenge =
    status === UNAUTHENTICATED ? `Proxy-Authenticate: ${CHALLENGE["Proxy-Authenticate"]}\r\n` : ""
  client.end(`HTTP/1.1 ${status}\r\n${challenge}Connection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Any user of this machine can connect: only the program that was started for it knows the secret. */
const isKnown = ({ headers }: IncomingMessage, secret: string): boolean => {
  const expected = Buffer.from(`Basic ${Buffer.from(`${USER}:${secret}`).toString("base64")}`)
  const given = Buffer.from(headers["proxy-authorization"] ?? "")
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const tunnel = (client: Duplex, upstream: Socket, head: Buffer, count: (bytes: number) => boolean): void => {
  const close = () => {
    client.destroy()
    upstream.destroy()
  }
  upstream.setTimeout(IDLE_TIMEOUT, close)
  client.write("HTTP/1.1 200 Connection established\r\n\r\n")
  if (head.length > 0) upstream.write(head)
  upstream.on("data", (piece: Buffer) => {
    if (!count(piece.length)) close()
  })
  client.pipe(upstream)
  upstream.pipe(client)
  client.on("error", close).on("close", close)
  upstream.on("close", close)
}

const makeServer = (options: GuardedProxyOptions, secret: string): Server => {
  let bytes = 0
  const count = (more: number) => {
    bytes += more
    return bytes <= options.maxBytes
  }
  // Only tunnels: what speaks plain HTTP to the world has no business here.
  const server = createServer((request, answer) => {
    if (isKnown(request, secret)) answer.writeHead(405, { connection: "close" }).end()
    else answer.writeHead(407, { connection: "close", ...CHALLENGE }).end()
  })
  server.on("connect", (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on("error", () => client.destroy())
    if (!isKnown(request, secret)) {
      refuse(client, UNAUTHENTICATED)
      return
    }
    const target = targetOf(request.url)
    if (target === null || !isAllowedPort(target.port)) {
      refuse(client, "403 Forbidden")
      return
    }
    allowedAddresses(target.host, options).then(
      ([address]) => {
        if (address === undefined) {
          refuse(client, "403 Forbidden")
          return
        }
        // To the address that was checked, not to the name once more.
        const upstream = connect({ host: address, port: target.port })
        upstream.setTimeout(CONNECT_TIMEOUT, () => upstream.destroy())
        upstream.once("connect", () => tunnel(client, upstream, head, count))
        upstream.on("error", () => refuse(client, "502 Bad Gateway"))
      },
      () => refuse(client, "502 Bad Gateway"),
    )
  })
  return server
}

/** A proxy on this machine that lets one program reach allowed addresses only. */
export interface GuardedProxy {
  /** With the secret in it: for the environment of the program, and for nothing that others can see, like arguments and logs. */
  readonly url: string
  readonly secret: string
}

/** Gone when the scope is. */
export const guardedProxy = (options: GuardedProxyOptions): Effect.Effect<GuardedProxy, Error, Scope.Scope> =>
  Effect.gen(function* () {
    const secret = yield* Effect.sync(() => randomBytes(SECRET_BYTES).toString("hex"))
    const server = yield* Effect.acquireRelease(
      Effect.async<Server, Error>((resume) => {
        const server = makeServer(options, secret)
        server.once("error", (error) => resume(Effect.fail(error)))
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        }),
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { url: `http://${USER}:${secret}@127.0.0.1:${port}`, secret }
  })
