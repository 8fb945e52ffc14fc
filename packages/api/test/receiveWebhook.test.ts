import { receiveWebhook, SignatureInvalid } from "@earmark/api/webhooks"
import { signWebhook } from "@earmark/core/signing"
import { assert, it } from "@effect/vitest"

const event = { id: "tr_1.done", type: "webhook.test", created: 1, data: { webhook: { id: "we_1" } } }
const body = JSON.stringify(event)
const signature = signWebhook({ secrets: ["whsec_a"], body, timestamp: 1000 })

it("reads a delivery that is genuine and fresh, and no other", () => {
  const delivery = { body, signature, secret: "whsec_a", now: 1100 }
  assert.deepStrictEqual<unknown>(receiveWebhook(delivery), event)
  const bytes = new TextEncoder().encode(body)
  assert.deepStrictEqual<unknown>(
    receiveWebhook({ ...delivery, body: bytes, secret: ["whsec_b", "whsec_a"] }),
    event,
  )
  for (const [wrong, reason] of [
    [{ body: `${body} ` }, "mismatch"],
    [{ secret: "whsec_b" }, "mismatch"],
    [{ secret: "" }, "mismatch"],
    [{ now: 1301 }, "stale"],
    [{ signature: undefined }, "malformed"],
  ] as const) {
    try {
      receiveWebhook({ ...delivery, ...wrong })
      assert.fail(reason)
    } catch (error) {
      assert.strictEqual(error instanceof SignatureInvalid && error.reason, reason)
    }
  }
})
