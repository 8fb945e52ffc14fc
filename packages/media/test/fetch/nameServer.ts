import { createSocket } from "node:dgram"
import { Effect, type Scope } from "effect"

const A = 1
const AAAA = 28

const nameIn = (query: Buffer): { readonly name: string; readonly end: number } => {
  const labels: Array<string> = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join("."), end: at + 1 }
}

/** A name server on loopback, written from RFC 1035. It knows IPv4 addresses; with `silent` names it never answers. */
export const nameServer = (
  known: Readonly<Record<string, ReadonlyArray<string>>>,
): Effect.Effect<{ readonly address: string }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const socket = createSocket("udp4")
    socket.on("message", (query, from) => {
      const { name, end } = nameIn(query)
      if (name.startsWith("silent")) return
      const type = query.readUInt16BE(end)
      const addresses = type === A ? (known[name] ?? []) : []
      const header = Buffer.from(query.subarray(0, 12))
      const code = known[name] === undefined && (type === A || type === AAAA) ? 3 : 0
      header.writeUInt16BE(0x8180 | code, 2)
      header.writeUInt16BE(addresses.length, 6)
      header.writeUInt16BE(0, 8)
      header.writeUInt16BE(0, 10)
      const answers = addresses.map((address) =>
        Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 9, 0, 4, ...address.split(".").map(Number)]),
      )
      socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...answers]), from.port, from.address)
    })
    const port = yield* Effect.acquireRelease(
      Effect.async<number>((resume) => {
        socket.bind(0, "127.0.0.1", () => resume(Effect.succeed(socket.address().port)))
      }),
      () => Effect.sync(() => void socket.close()),
    )
    return { address: `127.0.0.1:${port}` }
  })
