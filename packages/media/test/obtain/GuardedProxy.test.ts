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
    const { username, password } = new URL(proxy)
    // As the program does that the proxy is for.
    socket.write(
      password === "" ? text : text.replace("\r\n\r\n", `\r\n${login(`${username}:${password}`)}\r\n`),
    )
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeoutTo({ duration: "5 seconds", onSuccess: (heard) => heard, onTimeout: () => "silence" }),
  )

const tunnel = (target: string, more = "") => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${more}\r\n`
const login = (text: string) => `Proxy-Authorization: Basic ${Buffer.from(text).toString("base64")}\r\n`
const request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

const withProxy = <A, E, R>(
  options: Partial<GuardedProxyOptions>,
  use: (proxy: string) => Effect.Effect<A, E, R>,
) =>
  Effect.scoped(
    Effect.flatMap(guardedProxy({ allow: [], maxBytes: 1_000_000, ...options }), ({ url }) => use(url)),
  )

describe("the way out of a foreign program", () => {
  it.live("leads to allowed addresses", () =>
    Effect.gen(function* () {
      const { port } = yield* httpServer((_, response) => response.end("hello"))
      const heard = yield* withProxy({ allow }, (proxy) => say(proxy, tunnel(`127.0.0.1:${port}`), request))
      assert.match(heard, /^HTTP\/1\.1 200 /)
      assert.match(heard, /hello/)
    }).pipe(Effect.scoped),
  )

  it.live("is for the program alone that knows its secret", () =>
    Effect.gen(function* () {
      const server = yield* httpServer((_, response) => response.end("secret"))
      const looked: Array<string> = []
      const resolve = (name: string) => {
        looked.push(name)
        return Promise.resolve(["127.0.0.1"])
      }
      yield* withProxy({ allow, resolve }, (proxy) =>
        Effect.gen(function* () {
          const { password, port } = new URL(proxy)
          const stranger = `http://127.0.0.1:${port}`
          const target = `inside.example:${server.port}`
          const logins = ["", "earmark:", `earmark:${"0".repeat(48)}`, `other:${password}`, password]
          for (const text of logins.map((each) => (each === "" ? "" : login(each)))) {
            const heard = yield* say(stranger, tunnel(target, text), request)
            assert.match(heard, /^HTTP\/1\.1 407 [\s\S]*Proxy-Authenticate: Basic/)
          }
          assert.match(yield* say(stranger, request), /^HTTP\/1\.1 407 /)
          assert.deepStrictEqual(looked, [])
          assert.match(yield* say(proxy, tunnel(target), request), /secret/)
        }),
      )
      const [first, second] = yield* Effect.all([
        withProxy({}, (proxy) => Effect.succeed(new URL(proxy).password)),
        withProxy({}, (proxy) => Effect.succeed(new URL(proxy).password)),
      ])
      assert.notStrictEqual(first, second)
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
