import {
  API_KEY_PATTERN,
  equalBytes,
  hashApiKey,
  isApiKey,
  makeApiKey,
  parseApiKey,
} from "@earmark/core/signing"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Option } from "effect"

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const random = FastCheck.uint8Array({ minLength: 64, maxLength: 64 })
const mode = FastCheck.constantFrom("live" as const, "test" as const)
const made = FastCheck.tuple(mode, random)
  .map(([kind, bytes]) => makeApiKey(kind, bytes))
  .filter(Either.isRight)
  .map((key) => key.right)

describe("API keys", () => {
  // python3 -c 'import zlib; print(zlib.crc32(b"em_live_" + b"0" * 30))', then to base 62 by hand.
  it("end in the CRC-32 of all before, in base 62", () => {
    assert.isTrue(isApiKey(`em_live_${"0".repeat(30)}4Q5FWG`))
    assert.isTrue(isApiKey("em_test_0123456789ABCDEFGHIJKLMNOPQRST2ujPWs"))
    const bytes = Uint8Array.from({ length: 30 }, (_, index) => index)
    assert.strictEqual(
      Either.getOrThrow(makeApiKey("test", bytes)).value,
      "em_test_0123456789ABCDEFGHIJKLMNOPQRST2ujPWs",
    )
  })

  it("show their beginning and end in lists", () => {
    const key = Option.getOrThrow(parseApiKey("em_test_0123456789ABCDEFGHIJKLMNOPQRST2ujPWs"))
    assert.strictEqual(key.mode, "test")
    assert.strictEqual(key.prefix, "em_test_0123")
    assert.strictEqual(key.last4, "jPWs")
  })

  it("drop the bytes that would make some digits likelier, and say when they run out", () => {
    const unfair = Uint8Array.from({ length: 40 }, (_, index) => (index < 20 ? 255 : 61))
    const short = Either.getOrThrow(Either.flip(makeApiKey("live", unfair)))
    assert.strictEqual(short.given, 40)
    assert.strictEqual(short.needed, 50)
    const enough = Uint8Array.from({ length: 50 }, (_, index) => (index < 20 ? 248 + (index % 8) : 61))
    assert.match(Either.getOrThrow(makeApiKey("live", enough)).value, /^em_live_z{30}/)
    const counts = new Map<string, number>()
    for (let byte = 0; byte < 256; byte++) {
      const key = makeApiKey("live", new Uint8Array(30).fill(byte))
      if (Either.isRight(key))
        counts.set(key.right.value.charAt(8), (counts.get(key.right.value.charAt(8)) ?? 0) + 1)
    }
    assert.strictEqual(counts.size, 62)
    assert.deepStrictEqual([...new Set(counts.values())], [4])
  })

  it.prop("are read back as they were made", { key: made }, ({ key }) => {
    assert.deepStrictEqual(parseApiKey(key.value), Option.some(key))
    assert.strictEqual(API_KEY_PATTERN.exec(`"key": "${key.value}", `)?.[0], key.value)
  })

  it.prop(
    "refuse every typo of one character",
    { key: made },
    ({ key: { value } }) => {
      for (let position = 0; position < value.length; position++) {
        const before = value.slice(0, position)
        const after = value.slice(position + 1)
        for (const digit of `${DIGITS}_- `) {
          if (digit !== value.charAt(position)) assert.isFalse(isApiKey(before + digit + after))
          assert.isFalse(isApiKey(before + digit + value.slice(position)))
        }
        assert.isFalse(isApiKey(before + after))
      }
      assert.isFalse(isApiKey(value.replace(/live|test/, (mode) => (mode === "live" ? "test" : "live"))))
    },
    { fastCheck: { numRuns: 10 } },
  )

  it.prop("any other text is refused", { text: FastCheck.string() }, ({ text }) => {
    assert.isTrue(Option.isNone(parseApiKey(text)))
    assert.isTrue(Option.isNone(parseApiKey(`em_live_${text}`)))
  })

  it("need their form as well as their checksum", () => {
    for (const key of [
      "em_dead_0000000000000000000000000000004ezJEX",
      "em_live_00000000000000000000000000000_0oQFHZ",
      "EM_LIVE_00000000000000000000000000000004HGJm",
    ]) {
      assert.isFalse(isApiKey(key), key)
    }
  })

  it("are stored as a keyed hash", () => {
    const pepper = Uint8Array.from({ length: 32 }, (_, index) => index)
    const hash = hashApiKey(pepper, "em_live_000000000000000000000000000000")
    // printf %s em_live_000000000000000000000000000000 | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102..1f
    assert.strictEqual(
      Buffer.from(hash).toString("hex"),
      "0d0e697834cf647de315521acbf941fa05075ec99ea6d5a418bb04dd49da78c7",
    )
    assert.isTrue(equalBytes(hash, Uint8Array.from(hash)))
    assert.isFalse(equalBytes(hash, hash.subarray(1)))
    assert.isFalse(equalBytes(hash, new Uint8Array(32)))
  })
})
