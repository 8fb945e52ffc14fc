import { answerDelivery, type DeliveryRequest, type WebhookEvent } from "@earmark/api/webhooks"
import { signWebhook } from "@earmark/core/signing"
import { assert, it } from "@effect/vitest"

const event = { id: "tr_1.done", type: "webhook.test", created: 1, data: { webhook: { id: "we_1" } } }
const body = JSON.stringify(event)

const requestOf = (
  chunks: ReadonlyArray<string>,
  { method = "POST", secret = "whsec_a" }: { readonly method?: string; readonly secret?: string } = {},
): DeliveryRequest => ({
  method,
  headers: {
    "service-signature": signWebhook({ secrets: [secret], body, timestamp: Math.floor(Date.now() / 1000) }),
  },
  async *[Symbol.asyncIterator]() {
    for (const chunk of chunks) yield new TextEncoder().encode(chunk)
  },
})

const answered = async (request: DeliveryRequest, secret: string | undefined) => {
  const events: Array<readonly [WebhookEvent, string]> = []
  const refused: Array<string> = []
  const status = await answerDelivery(request, {
    secret: () => secret,
    onEvent: (...told) => events.push(told),
    onRefused: (why) => refused.push(why),
  })
  return { status, events, refused }
}

it("takes a genuine delivery, in however many chunks it comes", async () => {
  const { status, events, refused } = await answered(requestOf([body.slice(0, 9), body.slice(9)]), "whsec_a")
  assert.strictEqual(status, 200)
  assert.deepStrictEqual<unknown>(events, [[event, body]])
  assert.deepStrictEqual(refused, [])
})

it("says why another is refused, and nothing of one that comes before the endpoint is registered", async () => {
  const forged = await answered(requestOf([body], { secret: "whsec_b" }), "whsec_a")
  assert.strictEqual(forged.status, 400)
  assert.strictEqual(forged.refused.length, 1)
  for (const [request, secret] of [
    [requestOf([body]), undefined],
    [requestOf([body], { method: "GET" }), "whsec_a"],
    [requestOf([body, "x".repeat(10_000_000)]), "whsec_a"],
  ] as const)
    assert.deepStrictEqual(await answered(request, secret), { status: 400, events: [], refused: [] })
})
