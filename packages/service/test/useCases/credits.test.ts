import { CreditDesk, type PaymentScript, Reloads, ScriptedPayments } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import {
  balance,
  create,
  get,
  inWorld,
  newAccount,
  pass,
  refusal,
  settle,
  withUpkeep,
  withWorker,
} from "../world.js"

const charges = Effect.flatMap(ScriptedPayments, (payments) => payments.charges)

const reloading = { enabled: true, threshold: 10, amount: 50, monthlyCap: 100 } as const

const poor = Effect.gen(function* () {
  const account = yield* newAccount({ credits: 0 })
  return account
})

const talk = "https://a.example/talk.mp3?seconds=90"

describe("auto-reload", () => {
  it.effect("buys what a job needs, and never more often than the month allows", () =>
    Effect.gen(function* () {
      const account = yield* poor
      const desk = yield* CreditDesk
      assert.strictEqual(yield* refusal(create(account, { url: talk })), "OutOfCredits")
      yield* desk.putAutoReload(account, reloading)
      assert.deepStrictEqual(yield* balance(account), { posted: 50, held: 0 })
      yield* create(account, { url: "https://a.example/b.mp3?seconds=2700" })
      yield* withWorker(settle)
      assert.deepStrictEqual(yield* balance(account), { posted: 55, held: 0 })
      yield* create(account, { url: "https://a.example/c.mp3?seconds=3000" })
      yield* withWorker(settle)
      assert.deepStrictEqual(yield* balance(account), { posted: 5, held: 0 })
      assert.strictEqual((yield* charges).length, 2)
    }).pipe(inWorld()),
  )

  it.effect("of many at once one is charged", () =>
    Effect.gen(function* () {
      const account = yield* poor
      const desk = yield* CreditDesk
      const reloads = yield* Reloads
      yield* desk.putAutoReload(account, reloading)
      assert.strictEqual((yield* charges).length, 1)
      yield* Effect.all(
        Array.from({ length: 20 }, () => reloads.consider(account)),
        { concurrency: "unbounded" },
      )
      assert.strictEqual((yield* charges).length, 1)
      assert.deepStrictEqual(yield* balance(account), { posted: 0, held: 0 })
    }).pipe(inWorld({ payments: () => "processing" })),
  )

  it.effect("an outcome that is not known is asked for again under the same key, and counts once", () =>
    Effect.gen(function* () {
      const account = yield* poor
      const desk = yield* CreditDesk
      yield* desk.putAutoReload(account, reloading)
      assert.deepStrictEqual(yield* balance(account), { posted: 0, held: 0 })
      yield* withUpkeep(pass("5 minutes"))
      const made = yield* charges
      assert.deepStrictEqual(
        made.map(({ state }) => state),
        ["unknown", "unknown", "succeeded"],
      )
      assert.strictEqual(new Set(made.map(({ key }) => key)).size, 1)
      assert.deepStrictEqual(yield* balance(account), { posted: 50, held: 0 })
    }).pipe(inWorld({ payments: ({ index }) => (index < 2 ? "unknown" : "succeeded") })),
  )

  const declined: PaymentScript = () => "failed"

  it.effect("after a decline it is tried after an hour and after a day, then it is over", () =>
    Effect.gen(function* () {
      const account = yield* poor
      const desk = yield* CreditDesk
      yield* desk.putAutoReload(account, reloading)
      for (const [wait, times] of [
        ["50 minutes", 1],
        ["15 minutes", 2],
        ["23 hours", 2],
        ["2 hours", 3],
        ["48 hours", 3],
      ] as const) {
        yield* pass(wait)
        yield* withUpkeep(settle)
        assert.strictEqual((yield* charges).length, times, wait)
      }
      assert.strictEqual(new Set((yield* charges).map(({ key }) => key)).size, 3)
    }).pipe(inWorld({ payments: declined, worker: { lease: Duration.days(4) } })),
  )

  it.effect("a job that waits goes on when a reload came through", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ credits: 1 })
      const desk = yield* CreditDesk
      const { id } = yield* create(account, { url: "https://a.example/x.mp3?seconds=300&unknown" })
      yield* desk.putAutoReload(account, { ...reloading, threshold: 0, enabled: true })
      yield* desk.putAutoReload(account, { ...reloading, threshold: 1, enabled: true })
      yield* withWorker(pass("2 seconds"))
      assert.strictEqual((yield* get(account, id)).status, "done")
      assert.deepStrictEqual(yield* balance(account), { posted: 46, held: 0 })
    }).pipe(inWorld()),
  )
})

describe("a reload whose charge does not come about at once", () => {
  it.effect("is opened with the hold, so that after a crash the upkeep of any process charges it", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ credits: 11 })
      const desk = yield* CreditDesk
      yield* desk.putAutoReload(account, reloading)
      yield* create(account, { url: talk })
      assert.deepStrictEqual(yield* charges, [])
      yield* withUpkeep(settle)
      assert.strictEqual((yield* charges).length, 1)
      assert.deepStrictEqual(yield* balance(account), { posted: 61, held: 2 })
      assert.isFalse(yield* Effect.flatMap(Reloads, (reloads) => reloads.consider(account)))
    }).pipe(inWorld()),
  )

  it.effect("is charged when it is needed at once", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ credits: 11 })
      const desk = yield* CreditDesk
      yield* desk.putAutoReload(account, reloading)
      yield* create(account, { url: talk })
      yield* create(account, { url: "https://a.example/b.mp3?seconds=1200" })
      assert.strictEqual((yield* charges).length, 1)
      assert.deepStrictEqual(yield* balance(account), { posted: 61, held: 22 })
    }).pipe(inWorld()),
  )

  it.effect(
    "is written down as begun before the provider is asked, and asked after even when it is switched off",
    () =>
      Effect.gen(function* () {
        const account = yield* poor
        const desk = yield* CreditDesk
        yield* desk.putAutoReload(account, reloading)
        yield* desk.putAutoReload(account, { enabled: false })
        yield* withUpkeep(pass("2 minutes"))
        const made = yield* charges
        assert.deepStrictEqual(
          made.map(({ state }) => state),
          ["unknown", "succeeded"],
        )
        assert.strictEqual(new Set(made.map(({ key }) => key)).size, 1)
        assert.deepStrictEqual(yield* balance(account), { posted: 50, held: 0 })
      }).pipe(inWorld({ payments: ({ index }) => (index === 0 ? "unknown" : "succeeded") })),
  )
})

describe("a grant", () => {
  const order = { credits: 100, reference: "order-7", asPurchase: false } as const

  it.effect("is added once for its reference, and another amount is refused", () =>
    Effect.gen(function* () {
      const account = yield* poor
      const desk = yield* CreditDesk
      assert.deepStrictEqual(yield* desk.grant(account, order), { added: true })
      assert.deepStrictEqual(yield* desk.grant(account, order), { added: false })
      assert.deepStrictEqual(yield* desk.grant(account, { ...order, asPurchase: true }), { added: false })
      const refused = yield* Effect.flip(desk.grant(account, { ...order, credits: 500 }))
      assert.strictEqual(
        refused.message,
        "order-7 was counted before with 100 credits, not 500: nothing was added",
      )
      assert.deepStrictEqual(yield* balance(account), { posted: 100, held: 0 })
    }).pipe(inWorld()),
  )
})

describe("entries and usage", () => {
  it.effect("sum to the balance, and to what was billed", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true })
      const desk = yield* CreditDesk
      yield* create(account, { url: talk })
      yield* withWorker(settle)
      const { data } = yield* desk.entries(account, { limit: 100, order: "desc" })
      const { posted } = yield* balance(account)
      assert.strictEqual(
        data.reduce((sum, { amount }) => sum + amount, 0),
        posted,
      )
      yield* pass("1 second")
      const usage = yield* desk.usage(account, { groupBy: "day" })
      assert.deepStrictEqual(usage.total, { transcriptions: 1, minutes: 2, credits: 2 })
    }).pipe(inWorld()),
  )

  it.effect(
    "usage counts the minutes that were transcribed, also without billing and at three times the price",
    () =>
      Effect.gen(function* () {
        const account = yield* newAccount({ paid: true })
        const desk = yield* CreditDesk
        const long = { url: "https://a.example/long.mp3?seconds=900", diarize: true }
        yield* create(account, long)
        yield* create(account, { url: talk })
        yield* withWorker(settle)
        // The same recording again comes from the cache.
        yield* create(account, { url: talk })
        yield* pass("1 second")
        const { total } = yield* desk.usage(account, { groupBy: "day" })
        assert.deepStrictEqual(total, { transcriptions: 3, minutes: 17, credits: 0 })
      }).pipe(inWorld({ config: { billing: false } })),
  )
})
