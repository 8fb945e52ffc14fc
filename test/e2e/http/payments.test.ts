import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { type StripeDouble, startStripe } from "../../servers/stripeDouble.js"
import { earmark } from "../earmark.js"
import { clientOf } from "./world.js"

const NOTICES = "/api/v1/payments/stripe/notices"

describe("payments through Stripe, over a socket", () => {
  let stripe: StripeDouble
  let server: EarmarkServer
  let call: ReturnType<typeof clientOf>

  beforeAll(async () => {
    stripe = await startStripe()
    server = await startEarmark({
      EARMARK_STRIPE_KEY: stripe.key,
      EARMARK_STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      EARMARK_STRIPE_PRICE: "2",
      EARMARK_STRIPE_CURRENCY: "usd",
      EARMARK_STRIPE_SUCCESS_URL: "https://ear.example/paid",
      EARMARK_STRIPE_CANCEL_URL: "https://ear.example/not-paid",
      EARMARK_STRIPE_URL: stripe.url,
    })
    call = clientOf(server)
  }, 60_000)

  afterAll(async () => {
    await server?.stop()
    await stripe?.stop()
  })

  const notify = async ({ body, signature }: ReturnType<StripeDouble["event"]>) => {
    const headers = { "Content-Type": "application/json; charset=utf-8", "Stripe-Signature": signature }
    const answer = await fetch(`${server.baseUrl}${NOTICES}`, { method: "POST", body, headers })
    return answer.status
  }

  const balance = async () => (await call("/api/v1/credits")).body.balance

  const autoReload = { enabled: true, threshold: 200, amount: 100, monthly_cap: 100 }

  it("a purchase, its notices, auto-reload and a refund", async () => {
    const early = await call("/api/v1/credits/auto-reload", { method: "PUT", body: autoReload })
    assert.deepInclude(early.body, { status: 409, code: "invalid_state" })

    const bought = await call("/api/v1/credits/purchases", { body: { credits: 100 } })
    assert.strictEqual(bought.status, 201)
    assert.deepInclude(bought.body, { state: "pending", credits: 100 })
    const session = String(bought.body.checkout_url).split("/").at(-1) ?? ""
    const { intent } = stripe.pay(session)
    const event = stripe.event("payment_intent.succeeded", intent)
    assert.strictEqual(await notify({ ...event, body: `${event.body} ` }), 403)
    assert.strictEqual(await notify({ ...event, signature: "t=1,v1=00" }), 403)
    assert.strictEqual(await balance(), 60)
    assert.deepStrictEqual(await Promise.all([1, 2, 3].map(() => notify(event))), [200, 200, 200])
    assert.strictEqual(await balance(), 160)

    const on = await call("/api/v1/credits/auto-reload", { method: "PUT", body: autoReload })
    assert.deepStrictEqual(on.body, autoReload)
    assert.strictEqual(await balance(), 260)

    stripe.fail("drop", "drop", "drop")
    const refund = stripe.event("refund.created", stripe.refund(intent.id, 200))
    assert.strictEqual(await notify(refund), 503)
    assert.strictEqual(await notify(refund), 200)
    assert.strictEqual(await balance(), 160)
    assert.match(await server.administer("credits", "verify"), /\S/)
  })

  it("of too little is refused, and of what nobody sends notices there is nothing", async () => {
    const little = await call("/api/v1/credits/purchases", { body: { credits: 1 } })
    assert.deepInclude(little.body, { status: 400, code: "invalid_request" })
    assert.strictEqual((await call("/api/v1/payments/manual/notices", { body: {}, key: null })).status, 404)
    const large = await fetch(`${server.baseUrl}${NOTICES}`, { method: "POST", body: "x".repeat(1_048_577) })
    assert.strictEqual(large.status, 413)
  })

  it("logs no secret of it", () => {
    assert.notInclude(server.log(), stripe.key)
    assert.notInclude(server.log(), stripe.webhookSecret)
  })

  it("a start with a part of it is refused, and names what is missing", async () => {
    const ran = await earmark(["serve"], "", undefined, { EARMARK_STRIPE_KEY: "sk_test_abc" })
    assert.strictEqual(ran.code, 1)
    for (const name of ["WEBHOOK_SECRET", "PRICE", "CURRENCY", "SUCCESS_URL", "CANCEL_URL"]) {
      assert.include(ran.stderr, `EARMARK_STRIPE_${name} must be set, since EARMARK_STRIPE_KEY is.`)
    }
  })
})
