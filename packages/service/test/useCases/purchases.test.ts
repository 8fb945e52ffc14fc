import { PurchaseId } from "@earmark/core/jobs"
import { IdempotencyKey } from "@earmark/core/requests"
import {
  CreditDesk,
  PaymentStore,
  Payments,
  PaymentsManual,
  Purchases,
  problemOf,
  ScriptedPayments,
  StorageError,
  StoreMemory,
  type Stores,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Either, Layer } from "effect"
import { balance, create, get, inWorld, newAccount, pass, refusal, withWorker } from "../world.js"

const charges = Effect.flatMap(ScriptedPayments, (payments) => payments.charges)

const page = { limit: 20, order: "desc" } as const

const once = { idempotencyKey: IdempotencyKey.make("buy") }

const manual = { provider: PaymentsManual.layer }

/** An account, and a purchase of it that waits for the operator. */
const bought = Effect.gen(function* () {
  const account = yield* newAccount()
  const purchases = yield* Purchases
  const { answer } = yield* purchases.begin(account, { credits: 100 })
  return { account, purchases, ...answer }
})

describe("billing", () => {
  for (const billing of [true, false]) {
    it.effect(`${billing ? "on" : "off"} is said with the balance, also to an account that has paid`, () =>
      Effect.gen(function* () {
        const desk = yield* CreditDesk
        for (const paid of [false, true]) {
          const credits = yield* desk.get(yield* newAccount({ paid }))
          assert.deepInclude(credits, { billing, isPaid: paid })
        }
      }).pipe(inWorld({ config: { billing } })),
    )
  }
})

describe("a purchase", () => {
  it.effect("is refused without billing, where nothing costs credits: nothing of it is kept", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const purchases = yield* Purchases
      const refused = yield* Effect.flip(purchases.begin(account, { credits: 100 }, once))
      assert.deepInclude(refused, { _tag: "BillingOff" })
      if (refused._tag !== "BillingOff") return
      assert.deepStrictEqual(problemOf(refused, ""), { code: "invalid_state", detail: refused.message })
      assert.match(refused.message, /^This server has billing turned off: /)
      assert.deepStrictEqual((yield* purchases.list(account, page)).data, [])
    }).pipe(inWorld({ config: { billing: false } })),
  )

  it.effect("unlocks and counts once, however often it is asked for with one key", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const desk = yield* CreditDesk
      const purchases = yield* Purchases
      const buy = purchases.begin(account, { credits: 100 }, once)
      const first = yield* buy
      const second = yield* buy
      assert.deepStrictEqual(second, { ...first, replayed: true })
      const credits = yield* desk.get(account)
      assert.deepInclude(credits, { balance: 160, isPaid: true })
      assert.isTrue(credits.features.diarize)
      assert.strictEqual((yield* charges).length, 1)
      assert.deepStrictEqual(yield* purchases.get(account, first.answer.id), first.answer)
      const { data } = yield* purchases.list(account, page)
      assert.deepStrictEqual(data, [first.answer])
    }).pipe(inWorld()),
  )

  it.effect("that the provider did not answer is the same one when it is asked for again", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const purchases = yield* Purchases
      const buy = purchases.begin(account, { credits: 100 }, once)
      assert.strictEqual(yield* refusal(buy), "PaymentUnknown")
      yield* buy
      const keys = (yield* charges).map(({ key }) => key)
      assert.strictEqual(new Set(keys).size, 1)
      assert.deepStrictEqual(yield* balance(account), { posted: 160, held: 0 })
    }).pipe(inWorld({ payments: ({ index }) => (index === 0 ? "unknown" : "succeeded") })),
  )

  it.effect("that waits is shown as it stands, and its page only to whoever began it", () =>
    Effect.gen(function* () {
      const { account, id, purchases, ...begun } = yield* bought
      assert.deepInclude(begun, { state: "pending", checkoutUrl: `https://pay.example/${id}` })
      const shown = yield* purchases.get(account, id)
      const price = { amount: 100, currency: "usd" }
      assert.deepInclude(shown, { id, credits: 100, price, state: "pending", checkoutUrl: null })
      for (const other of ["", "pur_x", id.replace("pur_", "key_"), `${id}0`])
        assert.strictEqual(yield* refusal(purchases.get(account, other)), "PurchaseNotFound")
    }).pipe(inWorld({ payments: () => "pending" })),
  )
})

describe("a purchase without a provider", () => {
  it.effect(
    "is paid when the operator says so: its credits are added once, unlock, and wake what waits",
    () =>
      Effect.gen(function* () {
        const account = yield* newAccount({ credits: 1 })
        const desk = yield* CreditDesk
        const purchases = yield* Purchases
        const { answer } = yield* purchases.begin(account, { credits: 100 })
        assert.deepInclude(answer, { state: "pending", checkoutUrl: null })
        const { id } = yield* create(account, { url: "https://a.example/x.mp3?seconds=300&unknown" })
        yield* withWorker(pass("2 seconds"))
        assert.deepInclude(yield* get(account, id), { status: "queued", phase: "waiting_for_credits" })

        const confirmed = yield* purchases.confirm(answer.id)
        const owner = { account, accountName: "Ann", accountEmail: null }
        assert.deepStrictEqual(confirmed, { ...answer, state: "succeeded", ...owner, provider: "manual" })
        const all = yield* purchases.listAll({ limit: 20 })
        assert.deepStrictEqual(all.data, [confirmed])
        yield* withWorker(pass("2 seconds"))
        assert.strictEqual((yield* get(account, id)).status, "done")
        assert.deepStrictEqual(yield* purchases.confirm(answer.id), confirmed)
        assert.deepInclude(yield* desk.get(account), { balance: 96, isPaid: true })
        const { data } = yield* desk.entries(account, page)
        assert.deepStrictEqual(
          data.filter(({ kind }) => kind === "purchase").map(({ amount, reference }) => [amount, reference]),
          [[100, `manual:${answer.id}`]],
        )
      }).pipe(inWorld(manual)),
  )

  type Orders = PaymentStore["Type"]

  const storeWith = (change: (orders: Orders) => Partial<Orders>): Layer.Layer<Stores> =>
    Layer.map(StoreMemory.layer, (stores) => {
      const orders = Context.get(stores, PaymentStore)
      return Context.add(stores, PaymentStore, { ...orders, ...change(orders) })
    })

  /** All have looked at the order before anybody goes on. */
  const looksFirst = storeWith(({ get }) => ({ get: (id) => Effect.zipLeft(get(id), Effect.yieldNow()) }))

  it.effect("is paid once, however many say so at once", () =>
    Effect.gen(function* () {
      const { account, id, purchases } = yield* bought
      const all = yield* Effect.all(
        Array.from({ length: 10 }, () => purchases.confirm(id)),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(new Set(all.map(({ state }) => state)).size, 1)
      assert.deepStrictEqual(yield* balance(account), { posted: 160, held: 0 })
    }).pipe(inWorld({ ...manual, store: looksFirst })),
  )

  it.effect("is paid or canceled, and never both, when both are said at once", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 4; round++) {
        const { account, id, purchases } = yield* bought
        const say = [purchases.confirm(id), purchases.cancel(account, id), purchases.dismiss(id)]
        const turned = [...say.slice(round % 3), ...say.slice(0, round % 3)]
        const all = yield* Effect.all(turned.map(Effect.either), { concurrency: "unbounded" })
        const { state } = yield* purchases.get(account, id)
        assert.include(["succeeded", "canceled"], state)
        for (const each of all)
          if (Either.isRight(each)) assert.strictEqual(each.right.state, state)
          else assert.strictEqual(each.left._tag, "PurchaseDecided")
        const posted = state === "succeeded" ? 160 : 60
        assert.deepStrictEqual(yield* balance(account), { posted, held: 0 })
      }
    }).pipe(inWorld({ ...manual, store: looksFirst })),
  )

  it.effect("is canceled by who ordered it or by the operator, and cannot be confirmed then", () =>
    Effect.gen(function* () {
      for (const by of ["cancel", "dismiss"] as const) {
        const { account, id, purchases } = yield* bought
        const cancel = by === "cancel" ? purchases.cancel(account, id) : purchases.dismiss(id)
        const canceled = yield* cancel
        assert.deepInclude(canceled, { id, credits: 100, state: "canceled" })
        assert.deepStrictEqual(yield* cancel, canceled)
        assert.deepStrictEqual((yield* purchases.get(account, id)).state, "canceled")
        const refused = yield* Effect.flip(purchases.confirm(id))
        assert.strictEqual(
          refused.message,
          `The purchase ${id} was canceled, so it cannot be confirmed. Begin another one`,
        )
        assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
        assert.deepStrictEqual((yield* purchases.listAll({ account, isOpen: true, limit: 20 })).data, [])
        const { data } = yield* purchases.listAll({ account, limit: 20 })
        assert.deepStrictEqual(
          data.map(({ state }) => state),
          ["canceled"],
        )
      }
    }).pipe(inWorld(manual)),
  )

  it.effect("cannot be canceled once it is paid, and stays canceled when it is asked for again", () =>
    Effect.gen(function* () {
      const { account, id, purchases } = yield* bought
      yield* purchases.confirm(id)
      for (const canceling of [purchases.cancel(account, id), purchases.dismiss(id)]) {
        const refused = yield* Effect.flip(canceling)
        assert.strictEqual(refused.message, `The purchase ${id} was paid, so it cannot be canceled`)
      }
      const buy = purchases.begin(account, { credits: 5 }, once)
      const { answer } = yield* buy
      yield* purchases.cancel(account, answer.id)
      assert.deepStrictEqual(yield* buy, { answer: { ...answer, state: "canceled" }, replayed: true })
      const stranger = yield* newAccount()
      assert.strictEqual(yield* refusal(purchases.cancel(stranger, id)), "PurchaseNotFound")
    }).pipe(inWorld(manual)),
  )

  /** A store that goes away once, between the ledger and the order. */
  const leavesHalf = () => {
    let isAway = true
    return storeWith(({ follow }) => ({
      follow: (id, outcome) =>
        Effect.suspend(() => {
          if (!isAway) return follow(id, outcome)
          isAway = false
          return new StorageError({ operation: "follow", reason: "unavailable", cause: "away" })
        }),
    }))
  }

  it.effect("of which a crash left half is whole after the repeat, and counted once", () =>
    Effect.gen(function* () {
      const { account, id, purchases } = yield* bought
      assert.strictEqual(yield* refusal(purchases.confirm(id)), "StorageError")
      assert.deepStrictEqual(yield* balance(account), { posted: 160, held: 0 })
      assert.strictEqual((yield* purchases.get(account, id)).state, "processing")
      // Its credits are there: it cannot be canceled any more.
      assert.strictEqual(yield* refusal(purchases.cancel(account, id)), "PurchaseDecided")
      assert.strictEqual((yield* purchases.confirm(id)).state, "succeeded")
      assert.deepStrictEqual(yield* balance(account), { posted: 160, held: 0 })
      assert.strictEqual((yield* purchases.get(account, id)).state, "succeeded")
    }).pipe(inWorld({ ...manual, store: leavesHalf() })),
  )

  it.effect("is the only one that is confirmed: a provider says itself what was paid", () =>
    Effect.gen(function* () {
      const { account, id, purchases } = yield* bought
      const refused = yield* Effect.flip(purchases.confirm(id))
      assert.match(refused.message, /was begun with scripted, which says itself whether it was paid/)
      for (const canceling of [purchases.cancel(account, id), purchases.dismiss(id)])
        assert.strictEqual(yield* refusal(canceling), "PurchaseOfProvider")
      const unlike = PurchaseId.make(id.replace(/.$/, (last) => (last === "0" ? "1" : "0")))
      for (const nothing of [unlike, "pur_", "", account])
        for (const decide of [purchases.confirm(nothing), purchases.dismiss(nothing)])
          assert.strictEqual(yield* refusal(decide), "PurchaseNotFound")
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
    }).pipe(inWorld({ payments: () => "pending" })),
  )
})

describe("a service that takes another provider", () => {
  const changing = (current: () => string) =>
    Layer.effect(
      Payments,
      Effect.map(Payments, (nobody) => ({
        ...nobody,
        get provider() {
          return current()
        },
        checkout: ({ id }) => {
          const url = current() === "manual" ? null : `https://pay.example/${id}`
          return Effect.succeed({ state: "pending", payment: `page-${id}`, url } as const)
        },
      })),
    ).pipe(Layer.provide(PaymentsManual.layer))

  for (const [before, after] of [
    ["manual", "cashier"],
    ["cashier", "manual"],
  ] as const) {
    let provider: string = before
    it.effect(`after ${before} leaves a purchase with whom it was begun, also in a repeat`, () =>
      Effect.gen(function* () {
        const account = yield* newAccount()
        const purchases = yield* Purchases
        const buy = purchases.begin(account, { credits: 100 }, once)
        const { answer } = yield* buy
        provider = after
        assert.deepStrictEqual((yield* buy).answer, { ...answer, checkoutUrl: null })
        const { data } = yield* purchases.listAll({ account, limit: 20 })
        assert.deepInclude(data[0], { id: answer.id, provider: before, state: "pending" })
        const confirming = Effect.either(purchases.confirm(answer.id))
        assert.strictEqual((yield* confirming)._tag, before === "manual" ? "Right" : "Left")
      }).pipe(inWorld({ provider: changing(() => provider) })),
    )
  }
})

describe("the operator", () => {
  it.effect("sees the purchases of one account and of all, page by page, and those that are open", () =>
    Effect.gen(function* () {
      const purchases = yield* Purchases
      const first = yield* bought
      yield* pass("1 second")
      const second = yield* bought
      yield* pass("1 second")
      const { answer: third } = yield* purchases.begin(first.account, { credits: 7 })
      const idsOf = (query: Parameters<typeof purchases.listAll>[0]) =>
        Effect.map(purchases.listAll(query), ({ data }) => data.map(({ id }) => id))
      assert.deepStrictEqual(yield* idsOf({ limit: 20 }), [third.id, second.id, first.id])
      const { data, hasMore, nextCursor } = yield* purchases.listAll({ limit: 2 })
      assert.deepStrictEqual([data.length, hasMore], [2, true])
      const cursor = nextCursor ?? ""
      assert.deepStrictEqual(yield* idsOf({ limit: 2, cursor }), [first.id])
      assert.deepStrictEqual(yield* idsOf({ limit: 2, account: first.account }), [third.id, first.id])
      yield* purchases.confirm(second.id)
      assert.deepStrictEqual(yield* idsOf({ limit: 20, isOpen: true }), [third.id, first.id])
      const lost = purchases.listAll({ limit: 20, cursor: "pur_x" })
      assert.strictEqual(yield* refusal(lost), "CursorInvalid")
    }).pipe(inWorld(manual)),
  )
})
