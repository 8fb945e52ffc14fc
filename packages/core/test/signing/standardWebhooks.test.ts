import { makeWebhookSecret, standardWebhookHeaders, verifyStandardWebhook } from "@earmark/core/signing"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

// The public example of the Standard Webhooks libraries. Computed again with
// printf %s 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}' |
//   openssl dgst -sha256 -mac HMAC -macopt hexkey:"$(printf $key | base64 -d | od -An -tx1 | tr -d ' \n')" -binary | base64
const key = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const secret = `whsec_${key}`
const id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
const timestamp = 1_614_265_330
const body = '{"test": 2432232314}'
const signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
const other = "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc="
const headers = {
  "webhook-id": id,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": signature,
}

const verdict = (changed: Partial<typeof headers>, secrets: ReadonlyArray<string> = [secret]) =>
  Either.match(
    verifyStandardWebhook({ raw: body, headers: { ...headers, ...changed }, secrets, now: timestamp }),
    { onLeft: (error) => error.reason, onRight: (signed) => signed.id },
  )

describe("Standard Webhooks headers", () => {
  it("equal the public example", () => {
    assert.deepStrictEqual(standardWebhookHeaders({ secrets: [secret], id, body, timestamp }), headers)
    assert.deepStrictEqual(
      standardWebhookHeaders({ secrets: [secret], id, body: Buffer.from(body), timestamp }),
      headers,
    )
  })

  it("carry one signature for each secret, separated by a space", () => {
    const twice = standardWebhookHeaders({ secrets: [secret, secret], id, body, timestamp })
    assert.strictEqual(twice["webhook-signature"], `${signature} ${signature}`)
  })

  it("are refused for the right reason", () => {
    assert.strictEqual(verdict({}), id)
    assert.strictEqual(verdict({}, [key]), id)
    assert.strictEqual(verdict({}, ["whsec_AAAA", secret]), id)
    assert.strictEqual(verdict({ "webhook-signature": `${other} v1a,abc v2,x ${signature}` }), id)
    assert.strictEqual(verdict({ "webhook-signature": other }), "mismatch")
    assert.strictEqual(verdict({ "webhook-id": "msg_2" }), "mismatch")
    assert.strictEqual(verdict({ "webhook-timestamp": String(timestamp + 1) }), "mismatch")
    assert.strictEqual(verdict({ "webhook-id": "" }), "malformed")
    assert.strictEqual(verdict({ "webhook-timestamp": "soon" }), "malformed")
    assert.strictEqual(verdict({ "webhook-signature": "" }), "malformed")
    assert.strictEqual(verdict({ "webhook-signature": signature.replace("v1", "v1a") }), "malformed")
    assert.strictEqual(verdict({ "webhook-signature": `${other} `.repeat(200) }), "malformed")
  })

  it("never hold for a secret without a key", () => {
    for (const none of ["", "whsec_", "whsec_====", "not base64!"]) {
      assert.strictEqual(verdict({}, [none]), "mismatch", none)
    }
  })

  it("age in both directions", () => {
    const at = (now: number) =>
      Either.match(verifyStandardWebhook({ raw: body, headers, secrets: [secret], now }), {
        onLeft: (error) => error.ageSeconds,
        onRight: () => "fresh",
      })
    assert.strictEqual(at(timestamp + 300), "fresh")
    assert.strictEqual(at(timestamp - 300), "fresh")
    assert.strictEqual(at(timestamp + 301), 301)
    assert.strictEqual(at(timestamp - 301), -301)
  })

  it.prop(
    "what was signed verifies; any other signature character does not",
    {
      raw: FastCheck.uint8Array({ maxLength: 200 }),
      random: FastCheck.uint8Array({ minLength: 32, maxLength: 32 }),
      position: FastCheck.nat({ max: 42 }),
    },
    ({ raw, random, position }) => {
      const own = Either.getOrThrow(makeWebhookSecret(random))
      const made = standardWebhookHeaders({ secrets: [own], id, body: raw, timestamp })
      const check = (signed: typeof made) =>
        Either.isRight(verifyStandardWebhook({ raw, headers: signed, secrets: [own], now: timestamp }))
      assert.isTrue(check(made))
      const characters = [...made["webhook-signature"]]
      characters[3 + position] = characters[3 + position] === "A" ? "B" : "A"
      assert.isFalse(check({ ...made, "webhook-signature": characters.join("") }))
    },
  )
})
