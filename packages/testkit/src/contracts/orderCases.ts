/** What every list of an account keeps to, in either order. */
import { eventBody, testEvent } from "@earmark/core/wire"
import {
  ApiKeys,
  JobStore,
  Ledger,
  type Page,
  type PageRequest,
  PaymentStore,
  type TimeSpan,
  WebhookStore,
} from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import {
  addEndpoint,
  advance,
  createDone,
  createKey,
  newAccount,
  newBatch,
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

/** What a list narrowed to a span of time has: from its first moment on, and nothing of its last. */
const withinSpan = <E, R>(
  list: (
    filter: PageRequest & TimeSpan,
  ) => Effect.Effect<Page<{ readonly id: string; readonly createdAt: number }>, E, R>,
) =>
  Effect.gen(function* () {
    const all = (yield* list({ limit: 100, after: null })).items
    const moments = [...new Set(all.map(({ createdAt }) => createdAt))].sort((left, right) => left - right)
    const [, from, , to] = moments
    assert.isDefined(to)
    const fits = (span: TimeSpan) =>
      all
        .filter(({ createdAt }) => createdAt >= (span.from ?? 0) && createdAt < (span.to ?? Number.MAX_VALUE))
        .map(({ id }) => id)
    for (const span of [{ from, to }, { from }, { to }, { from: to, to: from }]) {
      const { items } = yield* list({ limit: 100, after: null, ...span })
      const ids = items.map(({ id }) => id)
      assert.deepStrictEqual(ids, fits(span))
      if (ids.length < 2) continue
      const first = yield* list({ limit: 1, after: null, ...span })
      const rest = yield* list({ limit: 100, after: first.next, ...span })
      assert.deepStrictEqual(
        [...first.items, ...rest.items].map(({ id }) => id),
        ids,
      )
    }
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
  promise(
    "deliveries are narrowed to a span of time and to an event",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount(60)
      const { id } = yield* addEndpoint(account)
      for (let count = 0; count < 3; count++) {
        yield* createDone(account)
        yield* advance(1)
        const event = testEvent(id, yield* unique, yield* now)
        yield* webhooks.createTest(account, id, yield* newDeliveryId, event, eventBody(event))
        yield* advance(1)
      }
      yield* withinSpan((filter) => webhooks.deliveries(account, id, filter))
      yield* withinSpan((filter) => webhooks.deliveries(account, id, { ...filter, state: "pending" }))
      const all = (yield* webhooks.deliveries(account, id, { limit: 20, after: null })).items
      for (const eventType of ["webhook.test", "transcription.completed"] as const) {
        const { items } = yield* webhooks.deliveries(account, id, { limit: 20, after: null, eventType })
        assert.strictEqual(items.length, 3)
        assert.deepStrictEqual(
          items,
          all.filter((each) => each.eventType === eventType),
        )
      }
      const failed = { limit: 20, after: null, eventType: "transcription.failed" } as const
      assert.deepStrictEqual((yield* webhooks.deliveries(account, id, failed)).items, [])
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
  promise(
    "the lines of an account are narrowed to a span of time and to a kind",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const account = yield* newAccount(60)
      for (let count = 0; count < 4; count++) {
        yield* advance(1)
        yield* ledger.adjust(account, 1, yield* unique)
        yield* advance(1)
        yield* ledger.refund(account, 1, yield* unique)
      }
      yield* withinSpan((filter) => ledger.entries(account, filter))
      yield* withinSpan((filter) => ledger.entries(account, { ...filter, kind: "refund" }))
      const all = (yield* ledger.entries(account, { limit: 20, after: null })).items
      const { items } = yield* ledger.entries(account, { limit: 20, after: null, kind: "refund" })
      assert.strictEqual(items.length, 4)
      assert.deepStrictEqual(
        items,
        all.filter(({ kind }) => kind === "refund"),
      )
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

export const batchOrderCases: ReadonlyArray<StoreCase> = [
  promise(
    `each batch of an account ${inOrder}`,
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(60)
      const add = Effect.flatMap(newBatch(account, [1, 1]), store.createBatch)
      yield* inBothOrders((page) => store.batches(account, page), add)
      const { items } = yield* store.batches(account, { limit: 20, after: null })
      const alone = yield* Effect.forEach(items, ({ id }) => store.batch(account, id))
      assert.deepStrictEqual(alone, [...items])
      const stranger = yield* newAccount()
      assert.deepStrictEqual((yield* store.batches(stranger, { limit: 20, after: null })).items, [])
    }),
  ),
]
