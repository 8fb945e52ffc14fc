import { CreditDesk, Reloads } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, TestClock } from "effect"
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

const settings = { enabled: true, threshold: 150, amount: 100, monthlyCap: 100 } as const

/** Time passes, and everything that is due is charged. */
const pass = (duration: Duration.DurationInput) =>
  Effect.gen(function* () {
    yield* TestClock.adjust(duration)
    yield* Effect.flatMap(Reloads, (reloads) => reloads.chargeDue(10))
  })

const turnOn = (account: Effect.Effect.Success<typeof newAccount>) =>
  Effect.flatMap(CreditDesk, (desk) => desk.putAutoReload(account, settings))

const autoReloadOf = (account: Effect.Effect.Success<typeof newAccount>) =>
  Effect.flatMap(CreditDesk, (desk) => Effect.map(desk.get(account), ({ autoReload }) => autoReload))

const charges = Effect.map(Stripe, ({ asked }) =>
  asked.filter(({ method, path }) => method === "POST" && path === "/v1/payment_intents"),
)

const keys = Effect.map(charges, (made) => [...new Set(made.map(({ idempotencyKey }) => idempotencyKey))])

/** Payments that were taken beside the purchase. */
const taken = Effect.map(Stripe, ({ intents }) =>
  [...intents.values()].filter(({ metadata }) => metadata.earmark_order?.startsWith("reload:")),
)

describe("auto-reload through Stripe", () => {
  it.effect("is refused before anybody has paid", () =>
    Effect.gen(function* () {
      const account = yield* newAccount
      assert.strictEqual(yield* refusal(turnOn(account)), "AutoReloadRefused")
      assert.isFalse((yield* autoReloadOf(account)).enabled)
    }).pipe(inWorld()),
  )

  it.effect("charges what paid before, once", () =>
    Effect.gen(function* () {
      const { account } = yield* paidAccount
      yield* turnOn(account)
      assert.strictEqual(yield* balance(account), 200)
      const [charge, ...more] = yield* charges
      assert.deepStrictEqual(more, [])
      assert.match(charge?.idempotencyKey ?? "", /^reload:rel_[0-9a-z]+:1$/)
      assert.deepInclude(charge?.fields, {
        off_session: "true",
        confirm: "true",
        amount: "250",
        currency: "eur",
      })
      const [intent] = yield* taken
      assert.isDefined(intent)
      if (intent !== undefined) yield* notify("payment_intent.succeeded", intent)
      yield* pass("1 hour")
      assert.strictEqual(yield* balance(account), 200)
      assert.strictEqual((yield* taken).length, 1)
    }).pipe(inWorld()),
  )

  it.effect("asks again under the same key when the answer was lost, and never charges twice", () =>
    Effect.gen(function* () {
      const { account } = yield* paidAccount
      const stripe = yield* Stripe
      stripe.fail("lost", "drop", 500)
      yield* turnOn(account)
      assert.strictEqual(yield* balance(account), 100)
      yield* pass("1 minute")
      assert.strictEqual(yield* balance(account), 200)
      assert.strictEqual((yield* keys).length, 1)
      assert.strictEqual((yield* taken).length, 1)
    }).pipe(inWorld()),
  )

  it.effect("finds a charge whose answer was lost when its key is forgotten already", () =>
    Effect.gen(function* () {
      const { account } = yield* paidAccount
      const stripe = yield* Stripe
      stripe.fail("lost", "drop", 429)
      yield* turnOn(account)
      stripe.forgetKeys()
      yield* pass("25 hours")
      assert.strictEqual(yield* balance(account), 200)
      assert.strictEqual((yield* taken).length, 1)
    }).pipe(inWorld()),
  )

  it.effect("of the same reload asks for the same money, whoever pays by then", () =>
    Effect.gen(function* () {
      const { account } = yield* paidAccount
      const stripe = yield* Stripe
      stripe.fail("drop", "drop", "drop")
      yield* turnOn(account)
      const other = stripe.pay(sessionOf(yield* buy(account, 40)))
      yield* notify("payment_intent.succeeded", other.intent)
      yield* pass("1 minute")
      const asked = yield* charges
      assert.strictEqual(new Set(asked.map(({ fields }) => JSON.stringify(fields))).size, 1)
      assert.strictEqual(yield* balance(account), 240)
    }).pipe(inWorld()),
  )

  it.effect("that is declined is tried after an hour and after a day under other keys, then it is off", () =>
    Effect.gen(function* () {
      const { account } = yield* paidAccount
      const stripe = yield* Stripe
      stripe.setCard("declined")
      yield* turnOn(account)
      for (const [wait, attempts] of [
        ["59 minutes", 1],
        ["2 minutes", 2],
        ["23 hours", 2],
        ["2 hours", 3],
        ["48 hours", 3],
      ] as const) {
        yield* pass(wait)
        assert.strictEqual((yield* charges).length, attempts, wait)
      }
      assert.strictEqual((yield* keys).length, 3)
      assert.isFalse((yield* autoReloadOf(account)).enabled)
      stripe.setCard("good")
      yield* turnOn(account)
      assert.strictEqual(yield* balance(account), 200)
    }).pipe(inWorld()),
  )

  it.effect("that wants to see somebody is not tried again, and auto-reload is off", () =>
    Effect.gen(function* () {
      const { account } = yield* paidAccount
      const stripe = yield* Stripe
      stripe.setCard("authentication")
      const answered = yield* turnOn(account)
      assert.isFalse(answered.enabled)
      yield* pass("48 hours")
      assert.strictEqual((yield* charges).length, 1)
      assert.strictEqual(yield* balance(account), 100)
    }).pipe(inWorld()),
  )

  it.effect("that takes its time is looked at after a quarter of an hour, and not charged again", () =>
    Effect.gen(function* () {
      const { account } = yield* paidAccount
      const stripe = yield* Stripe
      stripe.setCard("slow")
      yield* turnOn(account)
      yield* pass("14 minutes")
      const [intent] = yield* taken
      stripe.finish(intent?.id ?? "", "good")
      assert.strictEqual(yield* balance(account), 100)
      yield* pass("2 minutes")
      assert.strictEqual(yield* balance(account), 200)
      assert.strictEqual((yield* charges).length, 1)
    }).pipe(inWorld()),
  )

  it.effect("that takes its time counts when its notice comes, and once", () =>
    Effect.gen(function* () {
      const { account } = yield* paidAccount
      const stripe = yield* Stripe
      stripe.setCard("slow")
      yield* turnOn(account)
      const [intent] = yield* taken
      const done = stripe.finish(intent?.id ?? "", "good")
      for (const _ of [1, 2]) yield* notify("payment_intent.succeeded", done)
      assert.strictEqual(yield* balance(account), 200)
      yield* pass("20 minutes")
      assert.strictEqual(yield* balance(account), 200)
    }).pipe(inWorld()),
  )
})
