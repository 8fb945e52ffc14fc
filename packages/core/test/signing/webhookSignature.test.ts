import {
  isWebhookSecret,
  makeWebhookSecret,
  secretsInForce,
  signWebhook,
  verifyWebhook,
} from "@earmark/core/signing"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

// Bytes 0 to 31, and 32 times byte 28.
const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
const oldSecret = "whsec_HBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBw="
const body = '{"id":"tr_1.done"}'
const timestamp = 1_700_000_000
// printf %s '1700000000.{"id":"tr_1.done"}' | openssl dgst -sha256 -hmac "$secret"
const mac = "9c37d496a48e688ca67275834052d5ab919ec8a509215b4102fb3a45f219f95c"
const oldMac = "7b03daab883a15d8e5b79fe4b4a0f23ad888ab5b1b40826e99fa9a9987788efa"

const verdict = (
  header: string | null | undefined,
  options: { secrets?: Array<string>; raw?: string; now?: number } = {},
) =>
  Either.match(verifyWebhook({ raw: body, header, secrets: [secret], now: timestamp, ...options }), {
    onLeft: (error) => error.reason,
    onRight: (signed) => signed.timestamp,
  })

describe("webhook secrets", () => {
  it("are whsec_ and the base64 of 32 bytes", () => {
    const bytes = Uint8Array.from({ length: 40 }, (_, index) => index)
    assert.deepStrictEqual(makeWebhookSecret(bytes), Either.right(secret))
    assert.isTrue(isWebhookSecret(secret))
    for (const text of [
      "",
      "whsec_",
      "whsec_AAAA",
      secret.slice(6),
      `${secret}A`,
      secret.replace("=", "!"),
    ]) {
      assert.isFalse(isWebhookSecret(text), text)
    }
  })

  it("say how many bytes they need", () => {
    const short = Either.flip(makeWebhookSecret(new Uint8Array(31)))
    assert.deepInclude(Either.getOrThrow(short), { needed: 32, given: 31 })
  })

  it("sign with the newest first and at most two old ones that have not ended", () => {
    const old = [
      { secret: "ended", endsAt: 100 },
      { secret: "first", endsAt: 101 },
      { secret: "third", endsAt: 300 },
      { secret: "second", endsAt: 200 },
      { secret: "current", endsAt: 900 },
    ]
    assert.deepStrictEqual(secretsInForce("current", old, 100), ["current", "third", "second"])
    assert.deepStrictEqual(secretsInForce("current", old, 200), ["current", "third"])
    assert.deepStrictEqual(secretsInForce("current", old, 300), ["current"])
  })
})

describe("the signature header", () => {
  it("equals what openssl computes, keyed with the whole text of the secret", () => {
    const header = signWebhook({ secrets: [secret], body, timestamp })
    assert.strictEqual(header, `t=1700000000,v1=${mac}`)
    assert.strictEqual(signWebhook({ secrets: [secret], body: Buffer.from(body), timestamp }), header)
    const rotated = signWebhook({ secrets: [secret, oldSecret], body, timestamp: timestamp + 0.9 })
    assert.strictEqual(rotated, `t=1700000000,v1=${mac},v1=${oldMac}`)
  })

  it("is refused for the right reason", () => {
    const good = `t=1700000000,v1=${mac}`
    const other = "0".repeat(64)
    const table: ReadonlyArray<readonly [header: string | null | undefined, expected: string | number]> = [
      [good, timestamp],
      [`t=1700000000,v1=${other},v1=${mac}`, timestamp],
      [`t=1700000000,v1=${mac},v1=${other}`, timestamp],
      [`v1=${mac},t=1700000000`, timestamp],
      [`t=1700000000,v0=${other},v1=${mac},v2=abc,extra`, timestamp],
      [`t=1700000000,v1=short,v1=${mac}`, timestamp],
      [`t=1700000000,v1=${other}`, "mismatch"],
      [`t=1700000001,v1=${mac}`, "mismatch"],
      ["", "malformed"],
      ["t=1700000000", "malformed"],
      ["t=1700000000,v1=", "malformed"],
      ["t=1700000000,v0=abc", "malformed"],
      [`v1=${mac}`, "malformed"],
      [`t=,v1=${mac}`, "malformed"],
      [`t=+1700000000,v1=${mac}`, "malformed"],
      [`t=01700000000,v1=${mac}`, "malformed"],
      [`t=1.7e9,v1=${mac}`, "malformed"],
      [`t=1700000000,t=1700000000,v1=${mac}`, "malformed"],
      [`t=1700000000,v1=${mac.toUpperCase()}`, timestamp],
      [`t=1700000000, v1=${mac}`, timestamp],
      [` t=1700000000 ,v1=${other} , v1=${mac} `, timestamp],
      [undefined, "malformed"],
      [null, "malformed"],
      [`t=1700000000,v1=${mac}0`, "malformed"],
      [`${good},${"v0=x,".repeat(1000)}`, "malformed"],
    ]
    for (const [header, expected] of table) assert.strictEqual(verdict(header), expected, String(header))
  })

  it("holds for one of several secrets, and never for none, an empty one or a decoded one", () => {
    const rotated = `t=1700000000,v1=${mac},v1=${oldMac}`
    assert.strictEqual(verdict(rotated, { secrets: [oldSecret] }), timestamp)
    assert.strictEqual(verdict(`t=1700000000,v1=${oldMac}`, { secrets: [secret, oldSecret] }), timestamp)
    assert.strictEqual(verdict(rotated, { secrets: [] }), "mismatch")
    assert.strictEqual(verdict(rotated, { secrets: [secret.slice(6)] }), "mismatch")
    const keyless = signWebhook({ secrets: [""], body, timestamp })
    assert.strictEqual(verdict(keyless, { secrets: [""] }), "mismatch")
  })

  it("does not hold for a body that was parsed and written again", () => {
    assert.strictEqual(verdict(`t=1700000000,v1=${mac}`, { raw: '{ "id": "tr_1.done" }' }), "mismatch")
  })

  it("says what was missing, what may differ, and what looks like milliseconds", () => {
    const said = (header: string | undefined, now = timestamp) =>
      Either.match(verifyWebhook({ raw: body, header, secrets: [secret], now }), {
        onLeft: (error) => error.message,
        onRight: () => "fresh",
      })
    assert.strictEqual(said(undefined), "The request has no signature header")
    assert.strictEqual(said(`v1=${mac}`), "The signature header has no t=")
    assert.strictEqual(said("t=1700000000"), "The signature header has no v1= of 64 hex digits")
    assert.match(said(`t=1700000000,v1=${"0".repeat(64)}`), /exact bytes .* a trailing newline counts/)
    const good = `t=1700000000,v1=${mac}`
    assert.match(said(good, timestamp * 1000), /now looks like milliseconds/)
    const signed = signWebhook({ secrets: [secret], body, timestamp: timestamp * 1000 })
    assert.match(said(signed), /timestamp looks like milliseconds/)
    assert.notMatch(said(good, 9_999_999_999), /milliseconds/)
  })

  it("cannot be made without a secret", () => {
    // @ts-expect-error The types refuse it, too.
    assert.throws(() => signWebhook({ secrets: [], body, timestamp }), RangeError)
  })

  it("ages in both directions, and says which and by how much", () => {
    const header = `t=1700000000,v1=${mac}`
    const aged = (now: number, toleranceSeconds?: number) => {
      const options = toleranceSeconds === undefined ? {} : { toleranceSeconds }
      return Either.match(verifyWebhook({ raw: body, header, secrets: [secret], now, ...options }), {
        onLeft: (error) => `${error.reason} ${error.ageSeconds}: ${error.message}`,
        onRight: () => "fresh",
      })
    }
    assert.strictEqual(aged(timestamp + 300), "fresh")
    assert.strictEqual(aged(timestamp - 300), "fresh")
    assert.strictEqual(
      aged(timestamp + 301),
      "stale 301: The signature is 301 seconds old; 300 are tolerated",
    )
    assert.strictEqual(
      aged(timestamp - 301),
      "stale -301: The signature is 301 seconds in the future; 300 are tolerated",
    )
    assert.strictEqual(aged(timestamp + 1, 0), "stale 1: The signature is 1 second old; 0 are tolerated")
    assert.match(aged(timestamp * 1000), /^stale/)
    assert.match(aged(Number.NaN), /^stale/)
    assert.match(aged(timestamp, Number.NaN), /^stale/)
    assert.strictEqual(aged(timestamp, 0), "fresh")
    assert.match(aged(timestamp + 1, 0), /^stale 1:/)
    // An old forgery is a forgery: its age is nobody's business.
    assert.strictEqual(verdict(`t=1,v1=${mac}`), "mismatch")
  })

  it.prop(
    "what was signed verifies; any flipped bit does not",
    {
      raw: FastCheck.uint8Array({ maxLength: 200 }),
      random: FastCheck.uint8Array({ minLength: 32, maxLength: 32 }),
      bit: FastCheck.nat(),
    },
    ({ raw, random, bit }) => {
      const own = Either.getOrThrow(makeWebhookSecret(random))
      const header = signWebhook({ secrets: [own], body: raw, timestamp })
      const check = (bytes: Uint8Array, text: string) =>
        Either.isRight(verifyWebhook({ raw: bytes, header: text, secrets: [own], now: timestamp }))
      assert.isTrue(check(raw, header))
      const flip = (bytes: Uint8Array) => {
        const flipped = Buffer.from(bytes)
        const at = bit % (flipped.length * 8)
        flipped[at >> 3] = (flipped[at >> 3] ?? 0) ^ (1 << (at & 7))
        return flipped
      }
      if (raw.length > 0) assert.isFalse(check(flip(raw), header))
      const flipped = flip(Buffer.from(header)).toString("latin1")
      // Capitals in the digits say the same.
      if (flipped.toLowerCase() !== header) assert.isFalse(check(raw, flipped))
    },
  )

  it.prop("any header gets an answer", { header: FastCheck.string(), now: FastCheck.double() }, (given) => {
    assert.isTrue(Either.isLeft(verifyWebhook({ raw: body, secrets: [secret], ...given })))
  })
})
