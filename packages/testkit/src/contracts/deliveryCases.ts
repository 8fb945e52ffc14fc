import { closedCircuit } from "@earmark/core/jobs"
import { TimeLimit, WebhookStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { addEndpoint, advance, createDone, newAccount, now } from "./makers.js"
import {
  backoff,
  details,
  oneDue,
  onlyDelivery,
  reap,
  record,
  sendAll,
  takeOut,
  takeOutOne,
} from "./sending.js"
import { racing } from "./working.js"

/** An endpoint whose circuit is open, with a delivery that is due. */
const resting = Effect.gen(function* () {
  const { account, endpoint } = yield* oneDue
  yield* createDone(account)
  for (let failures = 0; failures < 5; ) {
    for (const claimed of yield* takeOut([endpoint])) {
      yield* record(claimed, 500)
      failures += 1
    }
    yield* advance(300)
  }
  return { account, endpoint }
})

export const deliveryCases: ReadonlyArray<StoreCase> = [
  promise(
    "a due delivery is claimed with its bytes, and its attempt counts at once",
    Effect.gen(function* () {
      const { account, endpoint, job } = yield* oneDue
      const claimed = yield* takeOutOne(endpoint)
      assert.strictEqual(claimed.trigger, "auto")
      assert.strictEqual(claimed.endpoint.id, endpoint)
      assert.deepInclude(claimed.delivery, { eventId: `${job.id}.done`, attempts: 1, state: "delivering" })
      const body = JSON.parse(claimed.body)
      assert.deepInclude(body, { id: `${job.id}.done`, type: "transcription.completed" })
      assert.closeTo(body.created, (yield* now) / 1000, 60)
      assert.deepInclude(body.data.transcription, { id: job.id, status: "done" })
      assert.match(body.data.transcription.url, /^https?:\/\//)
      assert.isTrue(body.data.transcription.url.endsWith(`/api/v1/transcriptions/${job.id}`))
      assert.deepInclude(yield* onlyDelivery(account, endpoint), { attempts: 1, state: "delivering" })
      assert.deepStrictEqual(yield* takeOut([endpoint]), [])
    }),
  ),
  promise(
    "a delivery is claimed by one sender, whatever the number of racing claims",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id: endpoint } = yield* addEndpoint(account)
      yield* sendAll
      yield* Effect.forEach(Array.from({ length: 30 }), () => createDone(account))
      const claimed = (yield* racing(8, () => takeOut([endpoint], { want: 10 }))).flat()
      const rest = yield* takeOut([endpoint])
      const ids = [...claimed, ...rest].map(({ delivery }) => delivery.id)
      assert.strictEqual(ids.length, 30)
      assert.strictEqual(new Set(ids).size, 30)
    }),
  ),
  promise(
    "a success ends a delivery",
    Effect.gen(function* () {
      const { account, endpoint } = yield* oneDue
      const claimed = yield* takeOutOne(endpoint)
      assert.isTrue(yield* record(claimed, 204, { responseBody: "thanks" }))
      const delivery = yield* details(account, endpoint)
      assert.deepInclude(delivery, { state: "succeeded", attempts: 1, lastStatus: 204, nextAt: null })
      assert.strictEqual(delivery.body, claimed.body)
      const [attempt, ...more] = delivery.attemptLog
      assert.deepStrictEqual(more, [])
      assert.deepInclude(attempt, {
        number: 1,
        trigger: "auto",
        status: 204,
        error: null,
        durationMs: 12,
        responseBody: "thanks",
      })
      yield* advance(86_400)
      assert.deepStrictEqual(yield* takeOut([endpoint]), [])
    }),
  ),
  promise(
    "a delivery that fails is tried six times on its schedule, with the same bytes, and then no more",
    Effect.gen(function* () {
      const { account, endpoint } = yield* oneDue
      const bodies = new Set<string>()
      for (const [index, delay] of [...backoff, null].entries()) {
        const claimed = yield* takeOutOne(endpoint)
        assert.strictEqual(claimed.delivery.attempts, index + 1)
        bodies.add(claimed.body)
        assert.isTrue(yield* record(claimed, 500))
        if (delay === null) continue
        yield* advance(delay - 2)
        assert.deepStrictEqual(yield* takeOut([endpoint]), [])
        yield* advance(2)
      }
      assert.strictEqual(bodies.size, 1)
      const delivery = yield* details(account, endpoint)
      assert.deepInclude(delivery, { state: "failed", attempts: 6, lastStatus: 500, nextAt: null })
      assert.deepStrictEqual(
        delivery.attemptLog.map(({ number }) => number),
        [1, 2, 3, 4, 5, 6],
      )
      yield* advance(10 * 86_400)
      assert.deepStrictEqual(yield* takeOut([endpoint]), [])
    }),
  ),
  promise(
    "a receiver that is busy is given more time, up to what it asks for",
    Effect.gen(function* () {
      const { account, endpoint } = yield* oneDue
      yield* record(yield* takeOutOne(endpoint), 503, { retryAfter: 600 })
      const { nextAt } = yield* onlyDelivery(account, endpoint)
      assert.closeTo((nextAt ?? 0) - (yield* now), 600_000, 2000)
      yield* advance(600)
      yield* record(yield* takeOutOne(endpoint), null, { error: "timeout" })
      const late = yield* onlyDelivery(account, endpoint)
      assert.deepInclude(late, { state: "pending", attempts: 2, lastStatus: null })
    }),
  ),
  promise(
    "a receiver that is gone is not asked again: its endpoint is disabled",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const { account, endpoint } = yield* oneDue
      yield* createDone(account)
      const [first] = yield* takeOut([endpoint], { want: 1 })
      if (first === undefined) return yield* Effect.dieMessage("no delivery is due")
      yield* record(first, 410)
      const disabled = yield* webhooks.endpoint(account, endpoint)
      assert.deepInclude(disabled, { enabled: false, disabledReason: "gone" })
      const { items } = yield* webhooks.deliveries(account, endpoint, { limit: 10, after: null })
      assert.deepStrictEqual(items.map(({ state }) => state).sort(), ["canceled", "failed"])
      assert.deepStrictEqual(yield* takeOut([endpoint]), [])
    }),
  ),
  promise(
    "an endpoint that does nothing but fail for five days is disabled",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount()
      const { id: endpoint } = yield* addEndpoint(account)
      for (let day = 0; day < 30; day++) {
        if (!(yield* webhooks.endpoint(account, endpoint)).enabled) break
        yield* createDone(account)
        for (const claimed of yield* takeOut([endpoint])) yield* record(claimed, 500)
        yield* advance(20_000)
      }
      const failing = yield* webhooks.endpoint(account, endpoint)
      assert.deepInclude(failing, { enabled: false, disabledReason: "failing" })
    }),
  ),
  promise(
    "no more than so many of one endpoint are under way, over all senders, and endpoints take turns",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const [busy, quiet] = [yield* addEndpoint(account), yield* addEndpoint(account, { enabled: false })]
      yield* sendAll
      yield* Effect.forEach(Array.from({ length: 20 }), () => createDone(account))
      const webhooks = yield* WebhookStore
      yield* webhooks.updateEndpoint(account, quiet.id, { enabled: true })
      yield* createDone(account)
      const both = [busy.id, quiet.id]
      const first = yield* takeOut(both, { want: 2, perEndpoint: 4 })
      assert.deepStrictEqual(first.map(({ endpoint }) => endpoint.id).sort(), [...both].sort())
      const more = (yield* racing(8, () => takeOut(both, { want: 3, perEndpoint: 4 }))).flat()
      assert.strictEqual(more.length, 3)
      const [done] = more
      if (done === undefined) return yield* Effect.dieMessage("no delivery is due")
      yield* record(done, 200)
      assert.strictEqual((yield* takeOut(both, { perEndpoint: 4 })).length, 1)
    }),
  ),
  promise(
    "an endpoint that keeps failing rests, without using up attempts, and is tried with one delivery then",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const { account, endpoint } = yield* resting
      const { circuit } = yield* webhooks.endpoint(account, endpoint)
      assert.notStrictEqual(circuit.state, "closed")
      yield* createDone(account)
      yield* createDone(account)
      const rest = Math.ceil(((circuit.until ?? 0) - (yield* now)) / 1000)
      if (rest > 0) {
        assert.deepStrictEqual(yield* takeOut([endpoint]), [])
        yield* advance(rest)
      }
      const probes = yield* takeOut([endpoint])
      assert.strictEqual(probes.length, 1)
      const [probe] = probes
      if (probe === undefined) return yield* Effect.dieMessage("no delivery is due")
      assert.deepStrictEqual(yield* takeOut([endpoint]), [])
      yield* record(probe, 200)
      assert.strictEqual((yield* webhooks.endpoint(account, endpoint)).circuit.state, "closed")
      yield* advance(86_400)
      const others = yield* takeOut([endpoint])
      assert.isAtLeast(others.length, 2)
      // Those that were put off have not lost an attempt by it.
      assert.strictEqual(Math.min(...others.map(({ delivery }) => delivery.attempts)), 1)
    }),
  ),
  promise(
    "a delivery that would be put off beyond three days is given up, with its attempts unused",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const until = (yield* now) + 80 * 3_600_000
      const circuit = { ...closedCircuit, state: "open", rests: 9, until } as const
      const { id: endpoint } = yield* addEndpoint(account, { circuit })
      yield* createDone(account)
      assert.deepStrictEqual(yield* takeOut([endpoint]), [])
      yield* advance(81 * 3600)
      assert.deepStrictEqual(yield* takeOut([endpoint]), [])
      assert.deepInclude(yield* onlyDelivery(account, endpoint), { state: "failed", attempts: 0 })
    }),
  ),
  promise(
    "switching an endpoint on again ends its rest",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const { account, endpoint } = yield* resting
      yield* webhooks.updateEndpoint(account, endpoint, { enabled: false, disabledReason: "manual" })
      const on = yield* webhooks.updateEndpoint(account, endpoint, { enabled: true })
      assert.strictEqual(on.circuit.state, "closed")
      yield* createDone(account)
      assert.strictEqual((yield* takeOut([endpoint])).length, 1)
    }),
  ),
  promise(
    "a delivery given back unsent is due at once, and its attempt does not count",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const { account, endpoint } = yield* oneDue
      yield* webhooks.release(yield* takeOutOne(endpoint))
      assert.deepInclude(yield* onlyDelivery(account, endpoint), { state: "pending", attempts: 0 })
      assert.strictEqual((yield* takeOutOne(endpoint)).delivery.attempts, 1)
    }),
  ),
  promise(
    "a sender that vanished costs one attempt, which is logged as unknown",
    Effect.gen(function* () {
      const { account, endpoint } = yield* oneDue
      const lost = yield* takeOutOne(endpoint, { leaseSeconds: 30 })
      yield* advance(29)
      yield* reap
      assert.strictEqual((yield* onlyDelivery(account, endpoint)).state, "delivering")
      yield* advance(1)
      yield* reap
      const delivery = yield* details(account, endpoint)
      assert.deepInclude(delivery, { state: "pending", attempts: 1 })
      assert.deepStrictEqual(
        delivery.attemptLog.map(({ number, error, status }) => ({ number, error, status })),
        [{ number: 1, error: "unknown", status: null }],
      )
      yield* advance(6)
      const next = yield* takeOutOne(endpoint)
      assert.strictEqual(next.delivery.attempts, 2)
      assert.strictEqual(next.body, lost.body)
    }),
  ),
  promise(
    "six vanished senders are six attempts",
    Effect.gen(function* () {
      const { account, endpoint } = yield* oneDue
      for (let attempt = 1; attempt <= 6; attempt++) {
        assert.strictEqual((yield* takeOutOne(endpoint, { leaseSeconds: 30 })).delivery.attempts, attempt)
        yield* advance(30)
        yield* reap
        yield* advance(20_000)
      }
      assert.deepInclude(yield* onlyDelivery(account, endpoint), { state: "failed", attempts: 6 })
      assert.deepStrictEqual(yield* takeOut([endpoint]), [])
    }),
  ),
  promise(
    "a failure that is told too late is logged and changes nothing",
    Effect.gen(function* () {
      const { account, endpoint } = yield* oneDue
      const late = yield* takeOutOne(endpoint, { leaseSeconds: 30 })
      yield* advance(30)
      yield* reap
      const before = yield* onlyDelivery(account, endpoint)
      assert.isFalse(yield* record(late, 500, { responseBody: "late" }))
      assert.deepStrictEqual(yield* onlyDelivery(account, endpoint), before)
      const { attemptLog } = yield* details(account, endpoint)
      assert.deepStrictEqual(
        attemptLog.map(({ number, status, responseBody }) => ({ number, status, responseBody })),
        [{ number: 1, status: 500, responseBody: "late" }],
      )
    }),
  ),
  promise(
    "attempts are kept for thirty days",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const { account, endpoint } = yield* oneDue
      yield* record(yield* takeOutOne(endpoint), 200)
      const sweepAll = Effect.gen(function* () {
        while ((yield* webhooks.sweep(500)) > 0) {}
      })
      yield* advance(30 * 86_400 - 60)
      yield* sweepAll
      assert.strictEqual((yield* details(account, endpoint)).attemptLog.length, 1)
      yield* advance(120)
      yield* sweepAll
      const delivery = yield* details(account, endpoint)
      assert.deepStrictEqual(delivery.attemptLog, [])
      assert.deepInclude(delivery, { state: "succeeded", attempts: 1 })
    }),
  ),
  promise(
    "a wake-up comes soon after something became due",
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const account = yield* newAccount()
      yield* addEndpoint(account)
      let woken = false
      for (let round = 0; round < 3 && !woken; round++) {
        const waiting = yield* Effect.fork(
          webhooks.wakeUps.pipe(Stream.take(1), Stream.runDrain, TimeLimit.option("500 millis")),
        )
        yield* Effect.sleep("50 millis")
        yield* createDone(account)
        woken = (yield* waiting)._tag === "Some"
      }
      assert.isTrue(woken)
    }),
  ),
]
