import { connect } from "node:net"
import { parseCidrList } from "@earmark/core/links"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { type GuardedProxyOptions, guardedProxy } from "../../src/obtain/GuardedProxy.js"
import { httpServer } from "../fetch/servers.js"

const allow = Either.getOrThrow(parseCidrList("127.0.0.1/32"))

/** Says something to the proxy and gives back all that came. */
const say = (proxy: string, text: string, then = "") =>
  Effect.async<string>((resume) => {
    const socket = connect(Number(new URL(proxy).port), "127.0.0.1")
    let heard = ""
    socket.on("data", (piece) => {
      heard += piece.toString("latin1")
      if (then !== "" && heard.includes("established")) {
        socket.write(then)
        then = ""
      }
    })
    socket.on("close", () => resume(Effect.succeed(heard))).on("error", () => undefined)
    socket.write(text)
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeoutTo({ duration: "5 seconds", onSuccess: (heard) => heard, onTimeout: () => "silence" }),
  )

const tunnel = (target: string) => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`
const request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

const withProxy = <A, E, R>(
  options: Partial<GuardedProxyOptions>,
  use: (proxy: string) => Effect.Effect<A, E, R>,
) => Effect.scoped(Effect.flatMap(guardedProxy({ allow: [], maxBytes: 1_000_000, ...options }), use))

describe("the way out of a foreign program", () => {
  it.live("leads to allowed addresses", () =>
    Effect.gen(function* () {
      const { port } = yield* httpServer((_, response) => response.end("hello"))
      const heard = yield* withProxy({ allow }, (proxy) => say(proxy, tunnel(`127.0.0.1:${port}`), request))
      assert.match(heard, /^HTTP\/1\.1 200 /)
      assert.match(heard, /hello/)
    }).pipe(Effect.scoped),
  )

  it.live("leads nowhere else, however the address is written", () =>
    Effect.gen(function* () {
      const canary = yield* httpServer((_, response) => response.end("secret"))
      const names: Readonly<Record<string, ReadonlyArray<string>>> = {
        "inside.example": ["127.0.0.1"],
        "mixed.example": ["93.184.216.34", "10.0.0.1"],
        "mapped.example": ["::ffff:127.0.0.1"],
      }
      const hosts = [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "localhost",
        "0.0.0.0",
        "169.254.169.254",
        ...Object.keys(names),
      ]
      const resolve = (name: string) => Promise.resolve(names[name] ?? ["127.0.0.1"])
      yield* withProxy({ resolve }, (proxy) =>
        Effect.gen(function* () {
          for (const host of hosts) {
            assert.match(yield* say(proxy, tunnel(`${host}:${canary.port}`)), /^HTTP\/1\.1 403 /, host)
          }
          for (const target of [
            "93.184.216.34:22",
            "93.184.216.34:0",
            "nonsense",
            "a@b:80",
            ":80",
            "a:99999",
          ]) {
            assert.match(yield* say(proxy, tunnel(target)), /^HTTP\/1\.1 40[03] /, target)
          }
          assert.match(
            yield* say(proxy, `GET http://127.0.0.1:${canary.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`),
            /^HTTP\/1\.1 405 /,
          )
        }),
      )
      assert.deepStrictEqual(canary.hits, [])
    }).pipe(Effect.scoped),
  )

  it.live("lets in no more than it may, and closes with its scope", () =>
    Effect.gen(function* () {
      const { port } = yield* httpServer((_, response) => response.end(Buffer.alloc(5_000_000, 65)))
      let address = ""
      const heard = yield* withProxy({ allow, maxBytes: 100_000 }, (proxy) => {
        address = proxy
        return say(proxy, tunnel(`127.0.0.1:${port}`), request)
      })
      assert.isBelow(heard.length, 1_000_000)
      assert.strictEqual(yield* say(address, tunnel(`127.0.0.1:${port}`)), "")
    }).pipe(Effect.scoped),
  )
})
