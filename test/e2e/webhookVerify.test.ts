import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { earmark } from "./earmark.js"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const body = '{"id":"tr_1.done","type":"transcription.completed"}'

/** Signed by the words of the interface document, not by our own code. */
const sign = (timestamp: number, key = secret, text = body) =>
  `t=${timestamp},v1=${createHmac("sha256", key).update(`${timestamp}.${text}`).digest("hex")}`

const now = () => Math.floor(Date.now() / 1000)

const verify = (header: string, options: ReadonlyArray<string> = [], input = body) =>
  earmark(["webhook", "verify", "--secret", secret, "--header", header, ...options], input)

describe("earmark webhook verify", () => {
  it("accepts a delivery signed with the secret", async () => {
    const { code, stdout, stderr } = await verify(sign(now()))
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.match(stdout, /^Valid: [^\n]+\n$/)
  })

  it("answers scripts with JSON", async () => {
    const valid = await verify(sign(now()), ["--json"])
    assert.deepStrictEqual([valid.code, JSON.parse(valid.stdout)], [0, { valid: true }])
    const wrong = await verify(sign(now(), "whsec_b3RoZXI="), ["--json"])
    assert.strictEqual(wrong.code, 1)
    assert.deepInclude(JSON.parse(wrong.stdout), { valid: false })
  })

  it("accepts either signature while a secret is rotated, and a header pasted with its name", async () => {
    const [first, second] = [sign(now(), "whsec_bmV3"), sign(now())]
    const both = `Service-Signature: ${first},${second.slice(second.indexOf("v1="))}`
    assert.strictEqual((await verify(both)).code, 0)
  })

  const refused: ReadonlyArray<
    readonly [string, () => Promise<{ code: number | null; stderr: string }>, RegExp]
  > = [
    [
      "a body with one byte changed",
      () => verify(sign(now()), [], body.replace("done", "dome")),
      /does not|not fit|match/i,
    ],
    ["another secret", () => verify(sign(now(), "whsec_b3RoZXI=")), /does not|not fit|match/i],
    ["a signature of six minutes ago", () => verify(sign(now() - 360)), /old|ago/i],
    ["a signature from the future", () => verify(sign(now() + 360)), /future/i],
    ["a header that is none", () => verify("v1=abc"), /t=/],
  ]
  for (const [what, run, reason] of refused) {
    it(`refuses ${what}: exit code 1 and one clear line`, async () => {
      const { code, stderr } = await run()
      assert.strictEqual(code, 1)
      assert.match(stderr, /^earmark: Not valid: [^\n]+\n$/)
      assert.match(stderr, reason)
    })
  }

  it("lets the tolerance be widened", async () => {
    assert.strictEqual((await verify(sign(now() - 360), ["--tolerance", "400"])).code, 0)
  })
})
