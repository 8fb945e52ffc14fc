/** What every list of an account keeps to, in either order. */
import { eventBody, testEvent } from "@earmark/core/wire"
import { ApiKeys, Ledger, type Page, type PageRequest, PaymentStore, WebhookStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import {
  addEndpoint,
  advance,
  createKey,
  newAccount,
  newDeliveryId,
  newPurchase,
  now,
  unique,
} from "./makers.js"

type List<E, R> = (page: PageRequest) => Effect.Effect<Page<{ readonly id: string }>, E, R>

/** Every id of a list, two at a time, while it grows at its newest end. */
const walk = <E, R, E2, R2>(list: List<E, R>, order: "asc" | "desc", grow: Effect.Effect<unknown, E2, R2>) =>
  Effect.gen(function* () {
    const ids: Array<string> = []
    let after: PageRequest["after"] = null
    do {
      const page: Page<{ readonly id: string }> = yield* list({ limit: 2, after, order })
      ids.push(...page.items.map(({ id }) => id))
      if (after === null) yield* grow
      after = page.next
    } while (after !== null && ids.length < 20)
    return ids
  })

/** Four rows, two of them made at the same moment, read oldest first and newest first. */
const inBothOrders = <E, R, E2, R2>(list: List<E, R>, add: Effect.Effect<unknown, E2, R2>) =>
  Effect.gen(function* () {
    yield* add
    yield* advance(1)
    yield* add
    yield* add
    yield* advance(1)
    yield* add
    yield* advance(1)
    const { items } = yield* list({ limit: 20, after: null })
    const oldestFirst = items.map(({ id }) => id).reverse()
    assert.isAtLeast(oldestFirst.length, 4)
    const grown = yield* walk(list, "asc", Effect.zipLeft(add, advance(1)))
    assert.deepStrictEqual(grown.slice(0, -1), oldestFirst)
    const all = [...grown].reverse()
    assert.deepStrictEqual(yield* walk(list, "desc", add), all)
  })

const inOrder = "is listed oldest first as well as newest first, page by page"

export const webhookOrderCases: ReadonlyArray<StoreCase> = [
  promise(
    `each endpoint of an account ${inOrder}`,
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount()
      yield* inBothOrders((page) => webhooks.endpoints(account, page), addEndpoint(account))
    }),
  ),
  promise(
    `each delivery to an endpoint ${inOrder}`,
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount()
      const { id } = yield* addEndpoint(account)
      const add = Effect.gen(function* () {
        const event = testEvent(id, yield* unique, yield* now)
        yield* webhooks.createTest(account, id, yield* newDeliveryId, event, eventBody(event))
      })
      yield* inBothOrders((page) => webhooks.deliveries(account, id, page), add)
      const pending = { limit: 1, after: null, state: "pending", order: "asc" } as const
      const { items } = yield* webhooks.deliveries(account, id, { limit: 20, after: null })
      assert.deepStrictEqual((yield* webhooks.deliveries(account, id, pending)).items, items.slice(-1))
    }),
  ),
]

export const ledgerOrderCases: ReadonlyArray<StoreCase> = [
  promise(
    `each line of an account ${inOrder}`,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const account = yield* newAccount(60)
      const add = Effect.flatMap(unique, (reference) => ledger.adjust(account, 1, reference))
      yield* inBothOrders((page) => ledger.entries(account, page), add)
    }),
  ),
]

export const keyOrderCases: ReadonlyArray<StoreCase> = [
  promise(
    `each key of an account ${inOrder}`,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const account = yield* newAccount()
      yield* inBothOrders((page) => keys.list(account, page), createKey(account))
    }),
  ),
]

export const purchaseOrderCases: ReadonlyArray<StoreCase> = [
  promise(
    `each purchase of an account ${inOrder}`,
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const account = yield* newAccount()
      const add = Effect.flatMap(newPurchase({ account }), store.begin)
      yield* inBothOrders((page) => store.purchases({ account }, page), add)
    }),
  ),
]
