import type { AccountId } from "@earmark/core/jobs"
import { IdempotencyKey } from "@earmark/core/requests"
import { PaymentNotices, PaymentStore, Purchases } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, HashMap, Logger, LogLevel, TestClock } from "effect"
import {
  balance,
  buy,
  inWorld,
  newAccount,
  notify,
  paidAccount,
  refusal,
  Stripe,
  sessionOf,
} from "./world.js"

const statesOf = (account: AccountId, isOpen: boolean) =>
  Effect.flatMap(Purchases, (purchases) =>
    Effect.map(purchases.listAll({ account, isOpen, limit: 20 }), ({ data }) =>
      data.map(({ state }) => state),
    ),
  )

const assertEnded = Effect.fnUntraced(function* (account: AccountId) {
  assert.deepStrictEqual(yield* statesOf(account, false), ["canceled"])
  assert.deepStrictEqual(yield* statesOf(account, true), [])
})

describe("a purchase that nobody can pay is canceled", () => {
  it.live("when Stripe refuses it; a repeat is refused too, and asks Stripe nothing", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      const stripe = yield* Stripe
      const purchases = yield* Purchases
      const again = purchases.begin(account, { credits: 1 }, { idempotencyKey: IdempotencyKey.make("buy") })
      assert.strictEqual(yield* refusal(again), "PaymentRefused")
      yield* assertEnded(account)
      const asked = stripe.asked.length
      const repeated = yield* Effect.flip(again)
      assert.include(repeated.message, "Begin another one")
      assert.strictEqual(repeated._tag, "PaymentRefused")
      assert.strictEqual(stripe.asked.length, asked)
      yield* assertEnded(account)
    }).pipe(inWorld()),
  )

  it.live("when its page expired, whether somebody tried to pay or not; a repeat shows it as it is", () =>
    Effect.gen(function* () {
      const stripe = yield* Stripe
      const purchases = yield* Purchases
      for (const card of [null, "declined"] as const) {
        const account = yield* newAccount
        const again = purchases.begin(
          account,
          { credits: 100 },
          { idempotencyKey: IdempotencyKey.make("buy") },
        )
        const { answer } = yield* again
        const session = sessionOf(answer)
        if (card !== null) yield* notify("payment_intent.payment_failed", stripe.pay(session, card).intent)
        const expired = stripe.expire(session)
        for (const _ of [1, 2]) yield* notify("checkout.session.expired", expired)
        yield* assertEnded(account)
        assert.deepStrictEqual((yield* again).answer, { ...answer, state: "canceled", checkoutUrl: null })
      }
    }).pipe(inWorld()),
  )

  it.effect("also when no notice tells that its page expired", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      const stripe = yield* Stripe
      const notices = yield* PaymentNotices
      stripe.expire(sessionOf(yield* buy(account, 100)))
      yield* TestClock.adjust("16 minutes")
      assert.strictEqual(yield* notices.askAfter(10), 1)
      yield* assertEnded(account)
      yield* TestClock.adjust("10 days")
      assert.strictEqual(yield* notices.askAfter(10), 0)
    }).pipe(inWorld()),
  )

  it.live("and not because a notice says so: only Stripe, when it is asked, knows that a page expired", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      const stripe = yield* Stripe
      const purchase = yield* buy(account, 100)
      const { session } = stripe.pay(sessionOf(purchase), "slow")
      yield* notify("checkout.session.expired", session)
      assert.deepStrictEqual(yield* statesOf(account, true), ["processing"])
      const other = stripe.expire(sessionOf(yield* buy(account, 50)))
      // A page that is not, or no longer, the one of its purchase.
      yield* Effect.flatMap(PaymentStore, (store) =>
        store.opened(other.metadata.earmark_order ?? "", "cs_later"),
      )
      yield* notify("checkout.session.expired", other)
      assert.deepStrictEqual(yield* statesOf(account, true), ["pending", "processing"])
    }).pipe(inWorld()),
  )

  it.live("and becomes one that succeeded when a payment comes all the same: its credits are added", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      const stripe = yield* Stripe
      const session = sessionOf(yield* buy(account, 100))
      yield* notify("checkout.session.expired", stripe.expire(session))
      yield* assertEnded(account)
      const { intent } = stripe.pay(session)
      for (const _ of [1, 2]) yield* notify("payment_intent.succeeded", intent)
      assert.strictEqual(yield* balance(account), 100)
      assert.deepStrictEqual(yield* statesOf(account, false), ["succeeded"])
    }).pipe(inWorld()),
  )
})

describe("the log", () => {
  it.live("says of a payment that is not as asked for, and of a dispute, whose it is", () => {
    const lines: Array<Readonly<Record<string, unknown>>> = []
    const logger = Logger.make(({ annotations, message }) => {
      lines.push({ message: String(message), ...Object.fromEntries(HashMap.toEntries(annotations)) })
    })
    return Effect.gen(function* () {
      const { account, payment } = yield* paidAccount
      const stripe = yield* Stripe
      const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        effect.pipe(
          Logger.withMinimumLogLevel(LogLevel.Warning),
          Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
        )
      yield* logged(notify("charge.dispute.created", stripe.dispute(payment, 250)))
      const purchase = yield* buy(account, 50)
      const { intent } = stripe.pay(sessionOf(purchase))
      stripe.intents.set(intent.id, { ...intent, amount: 1 })
      yield* logged(notify("payment_intent.succeeded", intent))
      const [disputed, other] = lines
      assert.match(String(disputed?.message), /^A payment is disputed/)
      assert.deepInclude(disputed, { account, payment })
      assert.match(String(disputed?.purchase), /^pur_/)
      assert.match(String(other?.message), /not as it was asked for/)
      assert.deepInclude(other, { account, payment: intent.id, purchase: purchase.id })
    }).pipe(inWorld())
  })
})
