import { eventBody, testEvent } from "@earmark/core/wire"
import { type Position, WebhookStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect, Either } from "effect"
import { promise, type StoreCase } from "./Case.js"
import {
  addEndpoint,
  advance,
  createDone,
  newAccount,
  newDeliveryId,
  newEndpointId,
  newGuard,
  now,
  unique,
} from "./makers.js"
import { onlyDelivery, record, takeOut, takeOutOne } from "./sending.js"
import { deliveriesOf, eventsTo, racing, refusal } from "./working.js"

export const endpointCases: ReadonlyArray<StoreCase> = [
  promise(
    "an endpoint is what it was registered as, and what belongs to another account does not exist",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const [account, stranger] = [yield* newAccount(), yield* newAccount()]
      const endpoint = yield* addEndpoint(account)
      yield* createDone(account)
      const { id } = yield* onlyDelivery(account, endpoint.id)
      const own = yield* addEndpoint(stranger)
      assert.deepStrictEqual(yield* webhooks.endpoint(account, endpoint.id), endpoint)
      const event = testEvent(endpoint.id, yield* unique, yield* now)
      const page = { limit: 10, after: null }
      const onEndpoint = [
        webhooks.endpoint(stranger, endpoint.id),
        webhooks.updateEndpoint(stranger, endpoint.id, { enabled: false }),
        webhooks.removeEndpoint(stranger, endpoint.id),
        webhooks.deliveries(stranger, endpoint.id, page),
        webhooks.createTest(stranger, endpoint.id, yield* newDeliveryId, event, eventBody(event)),
        webhooks.endpoint(account, yield* newEndpointId),
      ]
      for (const attempt of onEndpoint) assert.strictEqual(yield* refusal(attempt), "EndpointNotFound")
      const onDelivery = [
        webhooks.delivery(stranger, endpoint.id, id),
        webhooks.delivery(stranger, own.id, id),
        webhooks.redeliver(stranger, endpoint.id, id),
        webhooks.redeliver(stranger, own.id, id),
        webhooks.delivery(account, endpoint.id, yield* newDeliveryId),
      ]
      for (const attempt of onDelivery) assert.strictEqual(yield* refusal(attempt), "DeliveryNotFound")
      const { items } = yield* webhooks.endpoints(stranger, page)
      assert.deepStrictEqual(
        items.map((listed) => listed.id),
        [own.id],
      )
      assert.deepStrictEqual(yield* webhooks.endpoint(account, endpoint.id), endpoint)
      assert.strictEqual((yield* onlyDelivery(account, endpoint.id)).state, "pending")
    }),
  ),
  promise(
    "of racing rotations of a secret one succeeds, and the one before is good for its grace",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount()
      const { id } = yield* addEndpoint(account)
      const results = yield* racing(10, (index) =>
        Effect.either(
          webhooks.rotateSecret(account, id, { from: "sealed", to: `next ${index}`, graceSeconds: 60 }),
        ),
      )
      const [rotated, ...more] = results.filter(Either.isRight)
      assert.deepStrictEqual(more, [])
      const end = (yield* now) + 60_000
      const { secrets } = yield* webhooks.endpoint(account, id)
      assert.deepStrictEqual(rotated?.right.secrets, secrets)
      assert.match(secrets[0]?.sealed ?? "", /^next /)
      assert.deepStrictEqual(
        secrets.map(({ endsAt }) => endsAt),
        [null, end],
      )
      for (const refused of results.filter(Either.isLeft)) {
        assert.deepInclude(refused.left, { _tag: "SecretNotRotated", reason: "rotated_meanwhile" })
      }
    }),
  ),
  promise(
    "no secret is dropped before its grace is over, unless all are to end at once",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount()
      const { id } = yield* addEndpoint(account)
      const rotate = (from: string, to: string, graceSeconds: number) =>
        webhooks.rotateSecret(account, id, { from, to, graceSeconds })
      const good = Effect.map(webhooks.endpoint(account, id), ({ secrets }) =>
        secrets.map(({ sealed }) => sealed),
      )
      yield* rotate("sealed", "b", 100)
      yield* advance(10)
      yield* rotate("b", "c", 50)
      assert.deepStrictEqual(yield* good, ["c", "b", "sealed"])
      // The older one ends no later than the newer one.
      const [, , oldest] = (yield* webhooks.endpoint(account, id)).secrets
      assert.strictEqual(oldest?.endsAt, (yield* now) + 50_000)
      assert.strictEqual(yield* refusal(rotate("c", "d", 100)), "SecretNotRotated")
      assert.deepStrictEqual(yield* good, ["c", "b", "sealed"])
      yield* rotate("c", "d", 0)
      assert.deepStrictEqual(yield* good, ["d"])
      yield* rotate("d", "e", 5)
      yield* advance(5)
      yield* rotate("e", "f", 100)
      assert.deepStrictEqual(yield* good, ["f", "e"])
      const stranger = webhooks.rotateSecret(yield* newAccount(), id, { from: "f", to: "g", graceSeconds: 0 })
      assert.strictEqual(yield* refusal(stranger), "EndpointNotFound")
    }),
  ),
  promise(
    "the secrets before the current one can be ended, and nothing else changes",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount()
      const { id } = yield* addEndpoint(account)
      const rotated = yield* webhooks.rotateSecret(account, id, {
        from: "sealed",
        to: "b",
        graceSeconds: 100,
      })
      const after = yield* webhooks.updateEndpoint(account, id, { endsOldSecrets: true })
      assert.deepStrictEqual(after, { ...rotated, secrets: [{ sealed: "b", endsAt: null }] })
      assert.deepStrictEqual(yield* webhooks.endpoint(account, id), after)
    }),
  ),
  promise(
    "endpoints are listed newest first, page by page",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount()
      const made: Array<string> = []
      for (let count = 0; count < 3; count++) {
        made.push((yield* addEndpoint(account)).id)
        yield* advance(1)
      }
      const first = yield* webhooks.endpoints(account, { limit: 2, after: null })
      yield* addEndpoint(account)
      const second = yield* webhooks.endpoints(account, { limit: 2, after: first.next })
      assert.deepStrictEqual(
        [...first.items, ...second.items].map(({ id }) => id),
        made.reverse(),
      )
      assert.isNull(second.next)
    }),
  ),
  promise(
    "a repeated registration is answered with the first answer",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount()
      const endpoint = yield* addEndpoint(account)
      const guard = yield* newGuard()
      const other = { ...endpoint, id: yield* newEndpointId }
      const third = { ...endpoint, id: yield* newEndpointId }
      assert.deepStrictEqual(yield* webhooks.createEndpoint(other, { guard }), { type: "done" })
      const replayed = yield* webhooks.createEndpoint(third, { guard: { ...guard, answer: "other" } })
      assert.deepStrictEqual(replayed, { type: "replayed", answer: guard.answer })
      assert.strictEqual(yield* refusal(webhooks.endpoint(account, third.id)), "EndpointNotFound")
    }),
  ),
  promise(
    "an endpoint changes in what is given, and in nothing else",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount()
      const endpoint = yield* addEndpoint(account)
      const change = {
        url: "https://hooks.example.org/new",
        description: "mine",
        events: ["transcription.failed"],
      } as const
      const changed = yield* webhooks.updateEndpoint(account, endpoint.id, change)
      assert.deepStrictEqual(changed, { ...endpoint, ...change })
      assert.deepStrictEqual(yield* webhooks.updateEndpoint(account, endpoint.id, {}), changed)
      yield* createDone(account)
      assert.deepStrictEqual(yield* eventsTo(account, endpoint.id), [])
    }),
  ),
  promise(
    "disabling an endpoint cancels what is pending for it, and enabling replays nothing",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount()
      const endpoint = yield* addEndpoint(account)
      yield* createDone(account)
      const off = { enabled: false, disabledReason: "manual" } as const
      assert.deepInclude(yield* webhooks.updateEndpoint(account, endpoint.id, off), off)
      yield* createDone(account)
      assert.deepInclude(yield* onlyDelivery(account, endpoint.id), { state: "canceled", nextAt: null })
      const on = yield* webhooks.updateEndpoint(account, endpoint.id, { enabled: true })
      assert.deepInclude(on, { enabled: true, disabledReason: null })
      assert.deepStrictEqual(yield* takeOut([endpoint.id]), [])
      const job = yield* createDone(account)
      assert.strictEqual((yield* takeOutOne(endpoint.id)).delivery.eventId, `${job.id}.done`)
    }),
  ),
  promise(
    "removing an endpoint ends all that goes to it, and nothing that goes to others",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount()
      const [gone, other] = [yield* addEndpoint(account), yield* addEndpoint(account)]
      yield* createDone(account)
      yield* webhooks.removeEndpoint(account, gone.id)
      assert.strictEqual(yield* refusal(webhooks.endpoint(account, gone.id)), "EndpointNotFound")
      assert.strictEqual(yield* refusal(webhooks.removeEndpoint(account, gone.id)), "EndpointNotFound")
      const claimed = yield* takeOut([gone.id, other.id])
      assert.deepStrictEqual(
        claimed.map(({ endpoint }) => endpoint.id),
        [other.id],
      )
    }),
  ),
  promise(
    "deliveries are listed newest first, page by page and by state",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount()
      const endpoint = yield* addEndpoint(account)
      const jobs: Array<string> = []
      for (let count = 0; count < 5; count++) {
        jobs.push(`${(yield* createDone(account)).id}.done`)
        yield* advance(1)
      }
      const seen: Array<string> = []
      let after: Position | null = null
      do {
        const page: {
          readonly items: ReadonlyArray<{ readonly eventId: string }>
          readonly next: Position | null
        } = yield* webhooks.deliveries(account, endpoint.id, { limit: 2, after })
        seen.push(...page.items.map(({ eventId }) => eventId))
        after = page.next
        yield* createDone(account)
        yield* advance(1)
      } while (after !== null)
      assert.deepStrictEqual(seen, jobs.reverse())
      const [first] = yield* takeOut([endpoint.id], { want: 1 })
      if (first === undefined) return yield* Effect.dieMessage("no delivery is due")
      yield* record(first, 204)
      const succeeded = { limit: 10, after: null, state: "succeeded" } as const
      const { items } = yield* webhooks.deliveries(account, endpoint.id, succeeded)
      assert.deepStrictEqual(
        items.map(({ id }) => id),
        [first.delivery.id],
      )
      assert.strictEqual((yield* deliveriesOf(account, endpoint.id)).length, 8)
    }),
  ),
]
