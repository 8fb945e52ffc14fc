import { eventBody, testEvent } from "@earmark/core/wire"
import { WebhookStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { addEndpoint, advance, newAccount, newDeliveryId, now, unique } from "./makers.js"
import { details, oneDue, onlyDelivery, reap, record, takeOut, takeOutOne } from "./sending.js"

export const redeliveryCases: ReadonlyArray<StoreCase> = [
  promise(
    "nothing is sent after a success, even one that is told too late",
    Effect.gen(function* () {
      const { account, endpoint } = yield* oneDue
      const late = yield* takeOutOne(endpoint, { leaseSeconds: 30 })
      yield* advance(30)
      yield* reap
      assert.isFalse(yield* record(late, 200))
      yield* advance(86_400)
      assert.deepStrictEqual(yield* takeOut([endpoint]), [])
      assert.strictEqual((yield* onlyDelivery(account, endpoint)).state, "succeeded")
    }),
  ),
  promise(
    "a redelivery is one attempt at once, in whatever state, and makes no new schedule",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const { account, endpoint } = yield* oneDue
      const first = yield* takeOutOne(endpoint)
      yield* record(first, 500)
      const pending = yield* onlyDelivery(account, endpoint)
      yield* webhooks.redeliver(account, endpoint, pending.id)
      yield* webhooks.redeliver(account, endpoint, pending.id)
      const manual = yield* takeOutOne(endpoint)
      assert.strictEqual(manual.trigger, "manual")
      assert.strictEqual(manual.body, first.body)
      yield* record(manual, 500)
      const { state, nextAt, attempts } = yield* onlyDelivery(account, endpoint)
      assert.deepStrictEqual(
        { state, nextAt, attempts },
        { state: "pending", nextAt: pending.nextAt, attempts: 2 },
      )
      yield* advance(10)
      const second = yield* takeOutOne(endpoint)
      assert.strictEqual(second.trigger, "auto")
      yield* record(second, 200)
      yield* webhooks.redeliver(account, endpoint, pending.id)
      yield* record(yield* takeOutOne(endpoint), 500)
      assert.deepInclude(yield* onlyDelivery(account, endpoint), { state: "succeeded", nextAt: null })
      yield* advance(86_400)
      assert.deepStrictEqual(yield* takeOut([endpoint]), [])
      const { attemptLog } = yield* details(account, endpoint)
      assert.deepStrictEqual(
        attemptLog.map(({ number, trigger }) => [number, trigger]),
        [
          [1, "auto"],
          [2, "manual"],
          [3, "auto"],
          [4, "manual"],
        ],
      )
    }),
  ),
  promise(
    "a failed delivery that is redelivered with success has succeeded",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const { account, endpoint } = yield* oneDue
      const { id } = yield* onlyDelivery(account, endpoint)
      yield* webhooks.updateEndpoint(account, endpoint, { enabled: false, disabledReason: "manual" })
      yield* webhooks.redeliver(account, endpoint, id)
      const manual = yield* takeOutOne(endpoint)
      yield* record(manual, 500)
      assert.deepInclude(yield* onlyDelivery(account, endpoint), { state: "canceled", attempts: 1 })
      yield* webhooks.redeliver(account, endpoint, id)
      yield* record(yield* takeOutOne(endpoint), 200)
      assert.deepInclude(yield* onlyDelivery(account, endpoint), { state: "succeeded", attempts: 2 })
    }),
  ),
  promise(
    "a test event goes to its endpoint only, also when that is disabled, once",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount()
      const off = { enabled: false, disabledReason: "manual" } as const
      const [target, other] = [yield* addEndpoint(account, off), yield* addEndpoint(account)]
      const event = testEvent(target.id, yield* unique, yield* now)
      const id = yield* newDeliveryId
      const made = yield* webhooks.createTest(account, target.id, id, event, eventBody(event))
      assert.deepInclude(made, { id, eventId: event.id, eventType: "webhook.test", state: "pending" })
      const [claimed, ...more] = yield* takeOut([target.id, other.id])
      if (claimed === undefined) return yield* Effect.dieMessage("no delivery is due")
      assert.deepStrictEqual(more, [])
      assert.deepInclude(claimed, { trigger: "test", body: eventBody(event) })
      yield* record(claimed, 500)
      assert.strictEqual((yield* onlyDelivery(account, target.id)).state, "failed")
      yield* advance(86_400)
      assert.deepStrictEqual(yield* takeOut([target.id]), [])
    }),
  ),
]
