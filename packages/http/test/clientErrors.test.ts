import { connect } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Host, startHost } from "./agents/world.js"

let host: Host

beforeAll(async () => {
  host = await startHost()
})

afterAll(() => host.stop())

const answerTo = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    let text = ""
    const socket = connect(Number(new URL(host.base).port), "127.0.0.1", () => socket.write(bytes))
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
    })
    socket.on("close", () => resolve(text))
    socket.on("error", reject)
  })

const PLAIN = "application/json; charset=utf-8"
const PROBLEM = "application/problem+json"
const long = `A: ${"a".repeat(16_400)}\r\n`

describe("what the parser of Node refuses", () => {
  for (const [name, bytes, status, type] of [
    ["before the header that is too long", `Accept: application/json\r\n${long}\r\n`, 431, PLAIN],
    ["behind it", `${long}accept:application/json; charset=utf-8\r\n\r\n`, 431, PLAIN],
    ["for problems too", `Accept: application/json, ${PROBLEM}\r\n${long}\r\n`, 431, PROBLEM],
    ["nowhere", `X-Accept: application/json\r\n${long}\r\n`, 431, PROBLEM],
    ["in a request that is malformed", "Accept: application/json\r\nno header\r\n\r\n", 400, PLAIN],
    ["in the body alone", `${long}\r\nAccept: application/json\r\n\r\n`, 431, PROBLEM],
  ] as const) {
    it(`is called what the client accepts, which is said ${name}`, async () => {
      const text = await answerTo(`GET /healthz HTTP/1.1\r\nHost: x\r\n${bytes}`)
      assert.match(text, new RegExp(`^HTTP/1.1 ${status} `))
      assert.include(text, `\r\nContent-Type: ${type}\r\n`)
    })
  }
})
