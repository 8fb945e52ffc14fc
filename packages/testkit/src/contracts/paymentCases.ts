import type { AccountId } from "@earmark/core/jobs"
import { LOOK_AFTER_SECONDS, LOOKED_AFTER_DAYS, PaymentStore, type PurchaseFilter } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, newAccount, newOrder, newPurchase, newReloadId, unique } from "./makers.js"
import { racing } from "./working.js"

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
    "an order that is pending is paid or canceled, whatever the number of racing callers, and then stays so unless it is paid all the same",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      for (let count = 0; count < 5; count++) {
        const order = yield* store.begin(yield* newPurchase())
        const { id } = order
        const all = yield* racing(6, (index) => store.decide(id, index % 2 === 0 ? "canceled" : "processing"))
        const decided = yield* store.get(id)
        assert.notStrictEqual(decided?.state, "pending")
        for (const each of all) assert.deepStrictEqual(each, decided)
        assert.deepStrictEqual(decided, { ...order, state: decided?.state })
        for (const state of ["processing", "canceled"] as const)
          assert.deepStrictEqual(yield* store.decide(id, state), decided)
      }
      const canceled = yield* store.begin(yield* newPurchase())
      yield* store.decide(canceled.id, "canceled")
      yield* store.follow(canceled.id, { state: "failed", payment: "pi_1" })
      yield* store.opened(canceled.id, "page")
      assert.deepStrictEqual(yield* store.get(canceled.id), { ...canceled, state: "canceled" })
      yield* store.follow(canceled.id, { state: "succeeded", payment: "pi_1" })
      assert.deepInclude(yield* store.get(canceled.id), { state: "succeeded", payment: "pi_1" })
      const paying = yield* store.begin(yield* newPurchase())
      yield* store.decide(paying.id, "processing")
      yield* store.follow(paying.id, { state: "succeeded", payment: "pi_1" })
      assert.deepInclude(yield* store.decide(paying.id, "canceled"), { state: "succeeded", payment: "pi_1" })
      assert.isNull(yield* store.decide(yield* unique, "canceled"))
    }),
  ),
  promise(
    "a page to pay is looked after until its order is decided: by one at a time, less and less often, and not for ever",
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
      const expired = yield* store.begin(yield* newOrder({ provider }))
      yield* store.opened(expired.id, "page")
      yield* store.follow(expired.id, { state: "canceled", payment: null })
      yield* advance(LOOK_AFTER_SECONDS + 60)
      assert.deepStrictEqual(yield* taken, [])
    }),
  ),
  promise(
    "purchases of an account are its own, and what is charged for a reload is none",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const reload = { id: yield* newReloadId, attempt: 1 }
      const mine = yield* newPurchase()
      const charge = yield* newPurchase({ account: mine.account, reload })
      const theirs = yield* newPurchase()
      for (const order of [mine, charge, theirs]) yield* store.begin(order)
      const list = (account: AccountId) => store.purchases({ account }, { limit: 10, after: null })
      assert.deepStrictEqual(yield* list(mine.account), { items: [mine], next: null })
      assert.deepStrictEqual(yield* list(yield* newAccount(0)), { items: [], next: null })
      assert.deepStrictEqual(yield* store.purchase(mine.account, mine.id), mine)
      assert.isNull(yield* store.purchase(mine.account, charge.id))
      assert.isNull(yield* store.purchase(mine.account, theirs.id))
      assert.isNull(yield* store.purchase(mine.account, (yield* newPurchase()).id))
    }),
  ),
  promise(
    "open purchases are those that have neither succeeded nor been canceled, of one account or of all of them",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* advance(1)
      const paid = yield* newPurchase()
      const { account } = paid
      const begun = yield* newPurchase({ account })
      const declined = yield* newPurchase({ account, state: "failed" })
      const canceled = yield* newPurchase({ account, state: "canceled" })
      const theirs = yield* newPurchase()
      // Newest of all: where it counts as a purchase, it is on every page.
      yield* advance(1)
      const charge = yield* newPurchase({ reload: { id: yield* newReloadId, attempt: 1 } })
      for (const order of [paid, begun, declined, canceled, theirs, charge]) yield* store.begin(order)
      yield* store.follow(paid.id, { state: "succeeded", payment: "pi_1" })
      const idsOf = (filter: PurchaseFilter) =>
        Effect.map(store.purchases(filter, { limit: 5, after: null }), ({ items }) =>
          items.map(({ id }) => id).sort(),
        )
      const open = [begun.id, declined.id]
      assert.deepStrictEqual(yield* idsOf({ account, isOpen: true }), [...open].sort())
      assert.deepStrictEqual(yield* idsOf({ account, isOpen: false }), [...open, paid.id, canceled.id].sort())
      // Whatever other cases have left is older.
      const openOfAll = yield* idsOf({ isOpen: true })
      assert.includeMembers(openOfAll, [...open, theirs.id])
      for (const { id } of [paid, canceled]) assert.notInclude(openOfAll, id)
      assert.deepStrictEqual(yield* idsOf({}), [...open, theirs.id, paid.id, canceled.id].sort())
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
