import { isPublicAddress } from "@earmark/core/links"
import { Fetcher } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"
import { readAddress } from "../../src/fetch/address.js"
import { door, fetchText, reasonFor, requestFor } from "./doors.js"
import { hostileAddresses } from "./hostileAddresses.js"
import { httpServer } from "./servers.js"

const canary = (host: string) => httpServer((_, response) => void response.end("secret"), host)

const refusals = new Set(["address_blocked", "address_invalid"])

/** Names, and what they lead to. Every look-up is noted. */
const names = (answers: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>>) => {
  const asked: Array<string> = []
  const resolve = async (name: string): Promise<ReadonlyArray<string>> => {
    const times = asked.filter((before) => before === name).length
    asked.push(name)
    const found = answers[name]
    if (found === undefined) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" })
    return found[Math.min(times, found.length - 1)] ?? []
  }
  return { resolve, asked }
}

describe("addresses that are not public", () => {
  it.scopedLive("are refused in every form, directly and by redirect, and nobody is asked", () =>
    Effect.gen(function* () {
      const hidden = yield* canary("127.0.0.2")
      const six = yield* canary("::1")
      const open = yield* httpServer((request, response) => {
        const to = decodeURIComponent((request.url ?? "").slice("/to/".length))
        response
          .writeHead(302, {
            location: Buffer.from(to, "utf8")
              .toString("latin1")
              .replace(/[\r\n]/g, ""),
          })
          .end()
      })
      for (const port of [hidden.port, six.port]) {
        for (const address of hostileAddresses(port)) {
          assert.include([...refusals], yield* reasonFor(address), address)
        }
      }
      for (const address of hostileAddresses(hidden.port).filter(
        (address) => !/^(?:|\/\/.*|http:127.*)$/.test(address),
      )) {
        const reason = yield* reasonFor(`http://127.0.0.1:${open.port}/to/${encodeURIComponent(address)}`)
        assert.include([...refusals, "name_unknown"], reason, `by redirect to ${address}`)
      }
      assert.deepStrictEqual([...hidden.hits, ...six.hits], [])
    }).pipe(Effect.provide(door())),
  )

  it.scopedLive("are refused behind names: alone, among public ones, mapped, and after a public answer", () =>
    Effect.gen(function* () {
      const hidden = yield* canary("127.0.0.2")
      const open = yield* httpServer((_, response) => void response.end("fine"))
      const { resolve, asked } = names({
        "good.test": [["127.0.0.1"]],
        "evil.test": [["127.0.0.2"]],
        "mixed.test": [["127.0.0.1", "127.0.0.2"]],
        "mapped.test": [["::ffff:127.0.0.2"]],
        "six.test": [["::1"]],
        "nat.test": [["64:ff9b::7f00:2"]],
        "zone.test": [["fe80::1%lo"]],
        "odd.test": [["0x7f000002"]],
        "none.test": [[]],
        "turning.test": [["127.0.0.1"], ["127.0.0.2"]],
      })
      yield* Effect.gen(function* () {
        for (const name of ["evil", "mixed", "mapped", "six", "nat", "zone", "odd"]) {
          assert.strictEqual(yield* reasonFor(`http://${name}.test:${hidden.port}/`), "address_blocked", name)
        }
        // Its first address is allowed and answers; the other one is enough to refuse the name.
        assert.strictEqual(yield* reasonFor(`http://mixed.test:${open.port}/`), "address_blocked")
        assert.strictEqual(yield* reasonFor(`http://none.test:${hidden.port}/`), "name_unknown")
        assert.strictEqual(yield* reasonFor(`http://nobody.test:${hidden.port}/`), "name_unknown")
        assert.strictEqual((yield* fetchText(`http://good.test.:${open.port}/`)).body, "fine")
        // The name leads elsewhere the second time; it is asked once for each connection.
        assert.strictEqual((yield* fetchText(`http://turning.test:${open.port}/`)).body, "fine")
        assert.strictEqual(asked.filter((name) => name === "turning.test").length, 1)
        assert.strictEqual(yield* reasonFor(`http://turning.test:${hidden.port}/`), "address_blocked")
      }).pipe(Effect.provide(door({ resolve })))
      assert.deepStrictEqual(hidden.hits, [])
    }),
  )

  it.scopedLive("say nothing of what is behind them", () =>
    Effect.gen(function* () {
      const hidden = yield* canary("127.0.0.2")
      const { resolve } = names({ "evil.test": [["127.0.0.2"]] })
      const messageFor = (port: number) =>
        Effect.map(Effect.flip(fetchText(`http://evil.test:${port}/a?token=s3cret`)), String)
      const [open, closed] = yield* Effect.all([messageFor(hidden.port), messageFor(1025)]).pipe(
        Effect.provide(door({ resolve })),
      )
      assert.strictEqual(open, closed)
      assert.notInclude(open ?? "", "s3cret")
      assert.notInclude(open ?? "", "127.0.0.2")
    }),
  )

  it.scopedLive("are fine when the operator wrote them, up to the first redirect elsewhere", () =>
    Effect.gen(function* () {
      const hidden = yield* httpServer((_, response) => void response.end("secret"), "127.0.0.3")
      const own = yield* httpServer((request, response) => {
        if (request.url === "/away")
          response.writeHead(302, { location: `http://127.0.0.3:${hidden.port}/` }).end()
        else if (request.url === "/here") response.writeHead(302, { location: "/" }).end()
        else response.end("own")
      }, "127.0.0.2")
      const base = `http://127.0.0.2:${own.port}`
      assert.strictEqual((yield* fetchText(`${base}/here`, { trusted: true })).body, "own")
      assert.strictEqual(yield* reasonFor(`${base}/away`, { trusted: true }), "address_blocked")
      assert.deepStrictEqual(hidden.hits, [])
    }).pipe(Effect.provide(door())),
  )

  it.scopedLive("are not reached by a download either", () =>
    Effect.gen(function* () {
      const hidden = yield* canary("127.0.0.2")
      const fetcher = yield* Fetcher
      const failure = yield* Effect.flip(
        fetcher.download(requestFor(`http://127.0.0.2:${hidden.port}/`), "/nonexistent/file"),
      )
      assert.strictEqual(failure.reason, "address_blocked")
      assert.deepStrictEqual(hidden.hits, [])
    }).pipe(Effect.provide(door())),
  )
})

/** The registries of special addresses, in numbers: first address, number of bits that count. */
const SPECIAL_4: ReadonlyArray<readonly [number, number]> = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc01fc400, 24],
  [0xc034c100, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc0af3000, 24],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 4],
  [0xf0000000, 4],
]

const isPublic4 = (address: number) =>
  SPECIAL_4.every(
    ([first, bits]) => Math.floor(address / 2 ** (32 - bits)) !== Math.floor(first / 2 ** (32 - bits)),
  )

const isPublic6 = (address: bigint): boolean => {
  const top = (bits: bigint) => address >> (128n - bits)
  if (top(96n) === 0xffffn) return isPublic4(Number(address & 0xffffffffn))
  if (top(96n) === 0x64ff9bn << 64n) return isPublic4(Number(address & 0xffffffffn))
  if (top(3n) !== 1n) return false
  const isSpecial =
    top(23n) === 0x2001n << 7n || top(32n) === 0x20010db8n || top(16n) === 0x2002n || top(20n) === 0x3fff0n
  return !isSpecial
}

const octets = (address: number) => [
  address >>> 24,
  (address >>> 16) & 255,
  (address >>> 8) & 255,
  address & 255,
]

/** The same IPv4 address in one of the ways that browsers and libraries take. */
const forms4: ReadonlyArray<(address: number) => string> = [
  (address) => octets(address).join("."),
  (address) => `${octets(address).join(".")}.`,
  (address) => String(address),
  (address) => `0x${address.toString(16)}`,
  (address) => `0${address.toString(8)}`,
  (address) =>
    octets(address)
      .map((octet) => `0x${octet.toString(16)}`)
      .join("."),
  (address) =>
    octets(address)
      .map((octet) => `0${octet.toString(8)}`)
      .join("."),
  (address) => `${address >>> 24}.${address & 0xffffff}`,
  (address) => `${address >>> 24}.${(address >>> 16) & 255}.${address & 0xffff}`,
  (address) => octets(address).join("。"),
  (address) => [...octets(address).join(".")].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(""),
]

const words = (address: bigint) =>
  Array.from({ length: 8 }, (_, index) => (address >> BigInt(112 - index * 16)) & 0xffffn)

const forms6: ReadonlyArray<(address: bigint) => string> = [
  (address) =>
    words(address)
      .map((word) => word.toString(16))
      .join(":"),
  (address) =>
    words(address)
      .map((word) => word.toString(16).toUpperCase().padStart(4, "0"))
      .join(":"),
  (address) => {
    const tail = octets(Number(address & 0xffffffffn)).join(".")
    return `${words(address)
      .slice(0, 6)
      .map((word) => word.toString(16))
      .join(":")}:${tail}`
  },
]

const verdict = (host: string) =>
  Either.isRight(readAddress(`https://${host}/`, { isAllowed: isPublicAddress, isTrusted: false }))

/** Numbers at the edges of the special ranges are as likely as all the others together. */
const address4 = FastCheck.oneof(
  FastCheck.integer({ min: 0, max: 0xffffffff }),
  FastCheck.tuple(FastCheck.constantFrom(...SPECIAL_4), FastCheck.integer({ min: -3, max: 3 })).map(
    ([[first, bits], step]) => Math.abs(first + (step > 0 ? 2 ** (32 - bits) - 2 : 0) + step) % 2 ** 32,
  ),
)

const prefixes6 = [
  0n,
  0xffffn << 32n,
  0x64ff9bn << 96n,
  0x2002n << 112n,
  0x2001n << 112n,
  0x20010db8n << 96n,
  0x3fffn << 112n,
  0xfe80n << 112n,
  0xfc00n << 112n,
  0x2a00n << 112n,
]

const address6 = FastCheck.oneof(
  FastCheck.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
  FastCheck.tuple(FastCheck.constantFrom(...prefixes6), address4).map(
    ([prefix, low]) => prefix | BigInt(low),
  ),
  FastCheck.tuple(
    FastCheck.constantFrom(...prefixes6),
    FastCheck.bigInt({ min: 0n, max: (1n << 112n) - 1n }),
  ).map(([prefix, low]) => prefix | low),
)

describe("the verdict on an address", () => {
  it.prop(
    "is that of the registry, however an IPv4 address is written",
    [address4, FastCheck.constantFrom(...forms4)],
    ([address, form]) => {
      assert.strictEqual(verdict(form(address)), isPublic4(address), form(address))
    },
    { fastCheck: { numRuns: 2000 } },
  )

  it.prop(
    "is that of the registry, however an IPv6 address is written",
    [address6, FastCheck.constantFrom(...forms6)],
    ([address, form]) => {
      assert.strictEqual(verdict(`[${form(address)}]`), isPublic6(address), form(address))
    },
    { fastCheck: { numRuns: 2000 } },
  )
})
