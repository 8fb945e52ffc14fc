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
    // Stripe says what was paid, and nobody else.
    const path = `/api/v1/credits/purchases/${bought.body.id}`
    assert.deepInclude((await call(path)).body, { state: "pending", checkout_url: null })
    for (const [id, refusal] of [
      [
        String(bought.body.id),
        /^earmark: The purchase pur_\w+ was begun with stripe, .*\[purchase_not_manual\]\n$/,
      ],
      ["pur_1", /^earmark: No purchase with id pur_1\. \[purchase_not_found\]\n$/],
    ] as const) {
      for (const command of ["confirm", "dismiss"]) {
        const ran = await earmark(["credits", command, id], "", undefined, server.environment)
        assert.deepStrictEqual([ran.code, ran.stdout], [1, ""])
        assert.match(ran.stderr, refusal)
      }
    }
    const canceled = await call(`${path}/cancel`, { method: "POST" })
    assert.deepInclude(canceled.body, { status: 409, code: "invalid_state" })
    assert.deepStrictEqual(await Promise.all([1, 2, 3].map(() => notify(event))), [200, 200, 200])
    assert.strictEqual(await balance(), 160)
    assert.deepInclude((await call(path)).body, { state: "succeeded", credits: 100 })

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

  it("notices in any order, twice, late, or of somebody else leave one truth", async () => {
    const off = await call("/api/v1/credits/auto-reload", { method: "PUT", body: { enabled: false } })
    assert.strictEqual(off.body.enabled, false)
    // What was read is written back as it is.
    const kept = { enabled: false, threshold: 3, amount: 60, monthly_cap: 600 }
    await call("/api/v1/credits/auto-reload", { method: "PUT", body: kept })
    const again = await call("/api/v1/credits/auto-reload", { method: "PUT", body: { enabled: false } })
    assert.deepStrictEqual(again.body, kept)
    const before = Number(await balance())
    const { body: bought } = await call("/api/v1/credits/purchases", { body: { credits: 100 } })
    const { intent, session } = stripe.pay(String(bought.checkout_url).split("/").at(-1) ?? "")
    const returned = stripe.refund(intent.id, 50)
    const paid = stripe.event("payment_intent.succeeded", intent)
    const now = Math.floor(Date.now() / 1000)

    const late = stripe.event("payment_intent.succeeded", intent, { at: now - 301 })
    const early = stripe.event("payment_intent.succeeded", intent, { at: now + 301 })
    const live = stripe.event("payment_intent.succeeded", intent, { isLive: true })
    const forged = stripe.event("payment_intent.succeeded", intent, { secret: "whsec_other" })
    for (const notice of [late, early, forged]) assert.strictEqual(await notify(notice), 403)
    assert.isAtLeast(await notify(live), 200)
    assert.strictEqual(await balance(), before)

    // The refund is told before the payment that it belongs to.
    const refunded = stripe.event("refund.created", returned)
    await notify(refunded)
    assert.deepStrictEqual([await notify(paid), await notify(refunded), await notify(paid)], [200, 200, 200])
    assert.strictEqual(await balance(), before + 75)
    assert.strictEqual(await notify(stripe.event("checkout.session.completed", session)), 200)
    assert.strictEqual(
      await notify(stripe.event("customer.created", { id: "cus_x", object: "customer" })),
      200,
    )
    // Another shop of the same Stripe account sold something.
    const strange = { ...intent, id: "pi_of_somebody_else", metadata: {} }
    stripe.intents.set(strange.id, strange)
    assert.strictEqual(await notify(stripe.event("payment_intent.succeeded", strange)), 200)
    assert.strictEqual(await balance(), before + 75)

    // It fails at the bank: what was taken comes back, once.
    const failed = stripe.event("refund.failed", stripe.refund(intent.id, 50, "failed", returned.id))
    assert.deepStrictEqual(
      [await notify(failed), await notify(refunded), await notify(failed)],
      [200, 200, 200],
    )
    assert.strictEqual(await balance(), before + 100)
    assert.match(await server.administer("credits", "verify"), /agrees/)
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
