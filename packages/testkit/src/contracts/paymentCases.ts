import { type PaymentOrder, PaymentStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { newAccount, now, unique } from "./makers.js"
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
