import { LOOK_AFTER_SECONDS, LOOKED_AFTER_DAYS, type PaymentOrder, PaymentStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, newAccount, now, unique } from "./makers.js"
import { racing } from "./working.js"

const newOrder = (more: Partial<PaymentOrder> = {}) =>
  Effect.gen(function* () {
    const order: PaymentOrder = {
      id: yield* unique,
      provider: "p",
      account: yield* newAccount(0),
      credits: 100,
      money: { amount: 250, currency: "eur" },
      payer: { customer: "cus_1", method: "pm_1" },
      reload: null,
      state: "pending",
      payment: null,
      checkout: null,
      createdAt: yield* now,
      ...more,
    }
    return order
  })

export const paymentCases: ReadonlyArray<StoreCase> = [
  promise(
    "an order is kept as it was written first, whatever a repeat says",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const order = yield* newOrder()
      const others = yield* racing(5, () => store.begin(order))
      for (const answered of others) assert.deepStrictEqual(answered, order)
      const dearer = { ...order, money: { amount: 999, currency: "usd" }, payer: null }
      assert.deepStrictEqual(yield* store.begin(dearer), order)
      assert.deepStrictEqual(yield* store.get(order.id), order)
      assert.isNull(yield* store.get(yield* unique))
      const bare = yield* newOrder({ money: null, payer: null })
      yield* store.begin(bare)
      assert.deepStrictEqual(yield* store.get(bare.id), bare)
    }),
  ),
  promise(
    "what succeeded stays so, and a payment that is known stays known",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const { id } = yield* store.begin(yield* newOrder())
      yield* store.follow(id, { state: "failed", payment: "pi_1" })
      yield* store.follow(id, { state: "processing", payment: null })
      assert.deepInclude(yield* store.get(id), { state: "processing", payment: "pi_1" })
      yield* store.follow(id, { state: "succeeded", payment: "pi_1" })
      yield* store.follow(id, { state: "failed", payment: "pi_2" })
      assert.deepInclude(yield* store.get(id), { state: "succeeded", payment: "pi_1" })
      yield* store.follow(yield* unique, { state: "succeeded", payment: "pi_3" })
    }),
  ),
  promise(
    "a page to pay is looked after until the payment has succeeded: by one at a time, less and less often, and not for ever",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const provider = yield* unique
      const taken = Effect.map(
        racing(3, () => store.takeUndecided(provider, 10)),
        (all) => all.flat().map(({ id }) => id),
      )
      const [order, other] = [yield* newOrder({ provider }), yield* newOrder({ provider })]
      for (const each of [order, other, yield* newOrder({ provider })]) yield* store.begin(each)
      for (const { id } of [order, other]) yield* store.opened(id, `page-${id}`)
      assert.deepStrictEqual(yield* taken, [])
      yield* advance(LOOK_AFTER_SECONDS - 60)
      yield* store.opened(order.id, `page-${order.id}`)
      yield* advance(61)
      assert.deepStrictEqual([...(yield* taken)].sort(), [order.id, other.id].sort())
      assert.deepInclude(yield* store.get(order.id), { checkout: `page-${order.id}`, payment: null })
      assert.deepStrictEqual(yield* taken, [])
      yield* store.follow(other.id, { state: "succeeded", payment: "pi_1" })
      yield* advance(LOOK_AFTER_SECONDS + 60)
      assert.deepStrictEqual(yield* taken, [order.id])
      yield* advance(LOOK_AFTER_SECONDS + 60)
      assert.deepStrictEqual(yield* taken, [], "after twice as long as before")
      yield* advance(LOOKED_AFTER_DAYS * 86_400 + 60)
      assert.deepStrictEqual(yield* taken, [order.id])
      yield* advance(2 * LOOKED_AFTER_DAYS * 86_400)
      assert.deepStrictEqual(yield* taken, [])
      yield* store.opened(other.id, "page")
      yield* advance(LOOK_AFTER_SECONDS + 60)
      assert.deepStrictEqual(yield* taken, [])
    }),
  ),
  promise(
    "who paid last for an account is its payer, for each provider",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const [account, other] = [yield* newAccount(0), yield* newAccount(0)]
      assert.isNull(yield* store.payer(account, "p"))
      yield* store.putPayer(account, "p", { customer: "cus_1", method: "pm_1" })
      yield* store.putPayer(account, "p", { customer: "cus_2", method: null })
      yield* store.putPayer(account, "q", { customer: "cus_3", method: "pm_3" })
      assert.deepStrictEqual(yield* store.payer(account, "p"), { customer: "cus_2", method: null })
      assert.deepStrictEqual(yield* store.payer(account, "q"), { customer: "cus_3", method: "pm_3" })
      assert.isNull(yield* store.payer(other, "p"))
    }),
  ),
]
