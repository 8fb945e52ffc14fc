import { IdempotencyKey } from "@earmark/core/requests"
import { CreditDesk, PaymentNotices, PaymentStore, Purchases } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Redacted, TestClock } from "effect"
import {
  balance,
  buy,
  deliver,
  inWorld,
  newAccount,
  notify,
  paidAccount,
  refusal,
  Stripe,
  sessionOf,
} from "./world.js"

const posts = Effect.map(Stripe, ({ asked }) => asked.filter(({ method }) => method === "POST"))

describe("a purchase through Stripe", () => {
  it.live(
    "is a page where a person pays; the payment adds the credits, unlocks, and may be charged again",
    () =>
      Effect.gen(function* () {
        const account = yield* newAccount
        const stripe = yield* Stripe
        const purchase = yield* buy(account, 101)
        assert.deepInclude(purchase, { state: "pending", credits: 101 })
        assert.match(purchase.checkoutUrl ?? "", /^https:\/\/checkout\.stripe\.example\/cs_test_/)
        const [asked] = yield* posts
        assert.deepInclude(asked, {
          path: "/v1/checkout/sessions",
          idempotencyKey: `purchase:${purchase.id}`,
        })
        assert.deepInclude(asked?.fields, {
          mode: "payment",
          client_reference_id: purchase.id,
          "line_items[0][price_data][currency]": "eur",
          // 101 times 2.5, rounded up.
          "line_items[0][price_data][unit_amount]": "253",
          "payment_intent_data[setup_future_usage]": "off_session",
          "payment_intent_data[metadata][earmark_order]": purchase.id,
          success_url: "https://ear.example/paid",
          cancel_url: "https://ear.example/not-paid",
        })
        assert.strictEqual(yield* balance(account), 0)
        const { intent } = stripe.pay(sessionOf(purchase))
        yield* notify("payment_intent.succeeded", intent)
        assert.strictEqual(yield* balance(account), 101)
        const shown = yield* Effect.flatMap(CreditDesk, (desk) => desk.get(account))
        assert.isTrue(shown.isPaid)
        const payer = yield* Effect.flatMap(PaymentStore, (store) => store.payer(account, "stripe"))
        assert.deepStrictEqual(payer, { customer: intent.customer ?? "", method: intent.payment_method })
      }).pipe(inWorld()),
  )

  it.live("counts once, however often, late and in whatever order its notices come", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      const stripe = yield* Stripe
      const { intent, session } = stripe.pay(sessionOf(yield* buy(account, 100)))
      const earlier = { ...intent, status: "requires_payment_method" }
      const sent = [
        ["charge.refund.updated", stripe.refund(intent.id, 25)],
        ["payment_intent.succeeded", intent],
        ["checkout.session.completed", session],
        ["payment_intent.payment_failed", earlier],
        ["payment_intent.created", earlier],
      ] as const
      for (const [type, object] of [...sent, ...sent, ...[...sent].reverse()]) yield* notify(type, object)
      yield* Effect.all(
        Array.from({ length: 10 }, () => notify("payment_intent.succeeded", intent)),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(yield* balance(account), 90)
    }).pipe(inWorld()),
  )

  it.live("that is paid later adds its credits when the money is there", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      const stripe = yield* Stripe
      const { intent, session } = stripe.pay(sessionOf(yield* buy(account, 100)), "slow")
      yield* notify("checkout.session.completed", session)
      assert.strictEqual(yield* balance(account), 0)
      stripe.finish(intent.id, "good")
      yield* notify("checkout.session.async_payment_succeeded", session)
      assert.strictEqual(yield* balance(account), 100)
    }).pipe(inWorld()),
  )

  it.effect("whose notice never comes adds its credits all the same, and once", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      const stripe = yield* Stripe
      const notices = yield* PaymentNotices
      const [paid, slow, left] = [
        yield* buy(account, 100),
        yield* buy(account, 50),
        yield* buy(account, 7000),
      ]
      const { intent } = stripe.pay(sessionOf(paid))
      const later = stripe.pay(sessionOf(slow), "slow").intent
      assert.isString(left.checkoutUrl)
      assert.strictEqual(yield* notices.askAfter(10), 0)
      yield* TestClock.adjust("16 minutes")
      stripe.fail("drop", "drop", "drop")
      assert.strictEqual(yield* notices.askAfter(10), 3)
      yield* TestClock.adjust("32 minutes")
      yield* notices.askAfter(10)
      assert.strictEqual(yield* balance(account), 100)
      stripe.finish(later.id, "good")
      stripe.refund(later.id, 50)
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(yield* notices.askAfter(10), 2)
      assert.strictEqual(yield* balance(account), 130)
      const at = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      yield* deliver(stripe.event("payment_intent.succeeded", intent, { at }))
      yield* TestClock.adjust("36 days")
      assert.strictEqual(yield* notices.askAfter(10), 1)
      yield* TestClock.adjust("90 days")
      assert.strictEqual(yield* notices.askAfter(10), 0)
      assert.strictEqual(yield* balance(account), 130)
    }).pipe(inWorld()),
  )

  it.live("is one session, whatever happens on the way to Stripe", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      const stripe = yield* Stripe
      for (const faults of [["drop", 500], ["lost"], [429, 409], [503, "lost"]] as const) {
        stripe.fail(...faults)
        const before = (yield* posts).length
        assert.strictEqual((yield* buy(account, 100)).state, "pending")
        const made = (yield* posts).slice(before)
        assert.strictEqual(made.length, faults.length + 1)
        assert.strictEqual(new Set(made.map(({ idempotencyKey }) => idempotencyKey)).size, 1)
      }
    }).pipe(inWorld()),
  )

  it.live("that Stripe did not answer is told so, and the same one when it is asked for again", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      const stripe = yield* Stripe
      const purchases = yield* Purchases
      const again = purchases.begin(account, { credits: 100 }, { idempotencyKey: IdempotencyKey.make("buy") })
      stripe.fail("lost", "drop", 500)
      assert.strictEqual(yield* refusal(again), "PaymentUnknown")
      const first = (yield* again).answer
      assert.deepStrictEqual((yield* again).answer, first)
      assert.strictEqual(new Set((yield* posts).map(({ idempotencyKey }) => idempotencyKey)).size, 1)
      const { intent } = stripe.pay(sessionOf(first))
      yield* notify("payment_intent.succeeded", intent)
      assert.deepInclude((yield* again).answer, { state: "succeeded", checkoutUrl: null })
      assert.strictEqual(yield* balance(account), 100)
    }).pipe(inWorld()),
  )

  it.live("waits no longer for an answer than it was told to", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      const stripe = yield* Stripe
      stripe.fail("late", "late", "late")
      assert.strictEqual(yield* refusal(buy(account, 100)), "PaymentUnknown")
      assert.strictEqual((yield* posts).length, 3)
    }).pipe(inWorld({ deadline: Duration.millis(100) })),
  )

  it.live("of too little is refused in words, and a wrong key is no fault of who buys", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      assert.strictEqual(yield* refusal(buy(account, 1)), "PaymentRefused")
    }).pipe(inWorld()),
  )

  it.live("with a wrong key is not known", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refusal(buy(yield* newAccount, 100)), "PaymentUnknown")
      assert.strictEqual((yield* posts).length, 1)
    }).pipe(inWorld({ key: Redacted.make("sk_test_wrong") })),
  )
})

describe("a notice", () => {
  it.live(
    "that is not signed, not young, not of this mode or no event is refused, and nothing is asked",
    () =>
      Effect.gen(function* () {
        const account = yield* newAccount
        const stripe = yield* Stripe
        const { intent } = stripe.pay(sessionOf(yield* buy(account, 100)))
        const asked = stripe.asked.length
        const type = "payment_intent.succeeded"
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const { body, signature } = stripe.event(type, intent)
        const refused = [
          notify(type, intent, { secret: "whsec_other" }),
          notify(type, intent, { at: now - 301 }),
          notify(type, intent, { at: now + 301 }),
          notify(type, intent, { isLive: true }),
          deliver({ body: body.replace("payment_intent", "payment_intenT"), signature }),
          deliver({ body: JSON.stringify(JSON.parse(body)), signature }),
          deliver({ body, signature: "" }),
        ]
        for (const each of refused) assert.strictEqual(yield* refusal(each), "NoticeInvalid")
        assert.strictEqual(stripe.asked.length, asked)
        assert.strictEqual(yield* balance(account), 0)
      }).pipe(inWorld()),
  )

  it.live("about something else is taken, and changes nothing", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      const stripe = yield* Stripe
      const { intent } = stripe.pay(sessionOf(yield* buy(account, 100)))
      const asked = stripe.asked.length
      yield* notify("customer.created", { id: "cus_1", object: "customer" })
      yield* notify("checkout.session.expired", {
        id: "cs_1",
        object: "checkout.session",
        payment_intent: null,
      })
      assert.strictEqual(stripe.asked.length, asked)
      stripe.intents.set(intent.id, { ...intent, metadata: {} })
      yield* notify("payment_intent.succeeded", intent)
      stripe.intents.set(intent.id, { ...intent, metadata: { earmark_order: "pur_of_another_service" } })
      yield* notify("payment_intent.succeeded", intent)
      assert.strictEqual(yield* balance(account), 0)
    }).pipe(inWorld()),
  )

  it.live("of a payment that is not as it was asked for adds nothing", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      const stripe = yield* Stripe
      const { intent } = stripe.pay(sessionOf(yield* buy(account, 100)))
      for (const other of [{ amount: 249 }, { amount: 251 }, { currency: "usd" }]) {
        stripe.intents.set(intent.id, { ...intent, ...other })
        yield* notify("payment_intent.succeeded", intent)
        assert.strictEqual(yield* balance(account), 0)
      }
      // A second payment under the same order, as nobody but a forger has one.
      stripe.intents.set(intent.id, intent)
      yield* notify("payment_intent.succeeded", intent)
      const second = { ...intent, id: "pi_second" }
      stripe.intents.set("pi_second", second)
      yield* notify("payment_intent.succeeded", second)
      assert.strictEqual(yield* balance(account), 100)
    }).pipe(inWorld()),
  )

  it.live("that cannot be followed is to be sent again", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      const stripe = yield* Stripe
      const { intent } = stripe.pay(sessionOf(yield* buy(account, 100)))
      stripe.fail("drop", 500, 503)
      assert.strictEqual(yield* refusal(notify("payment_intent.succeeded", intent)), "PaymentUnknown")
      yield* notify("payment_intent.succeeded", intent)
      assert.strictEqual(yield* balance(account), 100)
    }).pipe(inWorld()),
  )
})

describe("money that goes back", () => {
  it.live("takes the credits of its part, once for each refund, below zero if need be", () =>
    Effect.gen(function* () {
      const { account, payment } = yield* paidAccount
      const stripe = yield* Stripe
      const part = stripe.refund(payment, 50)
      for (const _ of [1, 2, 3]) yield* notify("refund.created", part)
      assert.strictEqual(yield* balance(account), 80)
      yield* Effect.flatMap(CreditDesk, (desk) =>
        desk.grant(account, { credits: -80, reference: "spent", asPurchase: false }),
      )
      yield* notify("refund.created", stripe.refund(payment, 200))
      assert.strictEqual(yield* balance(account), -80)
    }).pipe(inWorld()),
  )

  it.live("and comes again, leaves the credits as they were, in whatever order that is told", () =>
    Effect.gen(function* () {
      const { account, payment } = yield* paidAccount
      const stripe = yield* Stripe
      const lost = stripe.refund(payment, 250)
      yield* notify("refund.created", lost)
      assert.strictEqual(yield* balance(account), 0)
      stripe.refund(payment, 250, "failed", lost.id)
      for (const type of ["refund.failed", "refund.created", "refund.updated"]) yield* notify(type, lost)
      assert.strictEqual(yield* balance(account), 100)
    }).pipe(inWorld()),
  )

  it.live(
    "by a dispute takes the credits and turns auto-reload off; a dispute that is won gives them again",
    () =>
      Effect.gen(function* () {
        const { account, payment } = yield* paidAccount
        const stripe = yield* Stripe
        const desk = yield* CreditDesk
        yield* desk.putAutoReload(account, { enabled: true, threshold: 0, amount: 100, monthlyCap: 100 })
        const asked = stripe.dispute(payment, 250, "warning_needs_response")
        yield* notify("charge.dispute.created", asked)
        assert.strictEqual(yield* balance(account), 100)
        stripe.dispute(payment, 250, "needs_response", asked.id)
        yield* notify("charge.dispute.funds_withdrawn", asked)
        assert.strictEqual(yield* balance(account), 0)
        assert.isFalse((yield* desk.get(account)).autoReload.enabled)
        stripe.dispute(payment, 250, "won", asked.id)
        for (const type of ["charge.dispute.closed", "charge.dispute.created"]) yield* notify(type, asked)
        assert.strictEqual(yield* balance(account), 100)
      }).pipe(inWorld()),
  )
})
