import { type AccountId, effectiveOptions, type FailureCode, type JobId } from "@earmark/core/jobs"
import { JobQueue, JobStore, type StoredJob, WebhookStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { addEndpoint, advance, createDone, createJob, finishedWith, newAccount, now } from "./makers.js"
import {
  balanceOf,
  booksAreRight,
  deliveriesOf,
  eventsTo,
  getJob,
  linesOf,
  refusal,
  takeOne,
  takeUp,
} from "./working.js"

const plain = { cacheKeys: [], shared: false } as const

/** Sweeps until nothing is left to do. */
const sweepAll = Effect.gen(function* () {
  const store = yield* JobStore
  while ((yield* store.sweep(500)) > 0) {}
})

const failOnce = (account: AccountId) =>
  Effect.gen(function* () {
    const queue = yield* JobQueue
    const { lease } = yield* takeOne(account)
    yield* queue.fail(lease, { code: "engine_error", retryInSeconds: null })
  })

const endOf = ({ state }: StoredJob): number => (state.status === "queued" ? Number.NaN : state.completedAt)

const failedWith = (account: AccountId, id: JobId, code: FailureCode) =>
  Effect.gen(function* () {
    const job = yield* getJob(account, id)
    assert.deepInclude(job.state, { status: "failed", code })
    assert.strictEqual(job.billedMinutes, 0)
    return job
  })

export const endCases: ReadonlyArray<StoreCase> = [
  promise(
    "a job that is done has the names that captions give to speakers, but those given by somebody before",
    Effect.gen(function* () {
      const [store, queue] = [yield* JobStore, yield* JobQueue]
      const account = yield* newAccount(10)
      const job = yield* createJob(account)
      yield* store.patch(account, job.id, { speakers: { "Speaker 2": "Benjamin" } })
      const { lease } = yield* takeOne(account)
      const speakerNames = { "Speaker 1": "Ann", "Speaker 2": "Ben" }
      yield* queue.complete(lease, finishedWith({ origin: "captions", credits: 0, speakerNames }), plain)
      const done = yield* getJob(account, job.id)
      assert.deepStrictEqual(done.speakerNames, { "Speaker 1": "Ann", "Speaker 2": "Benjamin" })
    }),
  ),
  promise(
    "of the names that captions give as many are kept as make a hundred with those given before",
    Effect.gen(function* () {
      const [store, queue] = [yield* JobStore, yield* JobQueue]
      const account = yield* newAccount(10)
      const job = yield* createJob(account)
      const names = (from: number, count: number, name: string) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`Speaker ${from + at}`, name]))
      yield* store.patch(account, job.id, { speakers: names(51, 60, "Ann") })
      const { lease } = yield* takeOne(account)
      const told = { origin: "captions", credits: 0, speakerNames: names(1, 100, "Ben") } as const
      yield* queue.complete(lease, finishedWith(told), plain)
      const done = yield* getJob(account, job.id)
      assert.deepStrictEqual(done.speakerNames, { ...names(1, 40, "Ben"), ...names(51, 60, "Ann") })
    }),
  ),
  promise(
    "canceling a queued job ends it: hold released, one event, out of the queue",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(10)
      const endpoint = yield* addEndpoint(account)
      const job = yield* createJob(account, { hold: 4 })
      const canceled = yield* store.cancel(account, job.id)
      assert.deepStrictEqual(yield* failedWith(account, job.id, "canceled"), canceled)
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 10, held: 0, floor: 0 })
      assert.deepStrictEqual(yield* takeUp([account]), [])
      assert.strictEqual(yield* refusal(store.cancel(account, job.id)), "JobAlreadyEnded")
      assert.deepStrictEqual(yield* getJob(account, job.id), canceled)
      assert.deepStrictEqual(yield* eventsTo(account, endpoint.id), [`${job.id}.failed`])
      yield* booksAreRight
    }),
  ),
  promise(
    "a canceled job is lost to its worker at its next write, whichever that is",
    Effect.gen(function* () {
      const store = yield* JobStore
      const queue = yield* JobQueue
      const account = yield* newAccount(10)
      const job = yield* createJob(account)
      const { lease } = yield* takeOne(account)
      const canceled = yield* store.cancel(account, job.id)
      assert.deepStrictEqual(yield* queue.extend([lease], 60), [lease])
      const span = { index: 0, start: 0, end: 1, words: [] }
      const writes = [
        queue.report(lease, { phase: "decoding", progress: 0.5 }),
        queue.saveSpan(lease, span),
        queue.raiseHold(lease, { credits: 2, durationSeconds: 100 }),
        queue.park(lease, { credits: 2, durationSeconds: 100 }),
        queue.release(lease),
        queue.bury(lease, "broken"),
        queue.fail(lease, { code: "engine_error", retryInSeconds: 1 }),
        queue.complete(lease, finishedWith(), plain),
      ]
      for (const write of writes) assert.strictEqual(yield* refusal(write), "LeaseLost")
      assert.deepStrictEqual(yield* getJob(account, job.id), canceled)
      assert.deepStrictEqual(yield* queue.spans(job.id, -1), [])
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 10, held: 0, floor: 0 })
    }),
  ),
  promise(
    "a retry is the next run of the same job, with its options and a new hold",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(10)
      const job = yield* createJob(account, { hold: 2 })
      yield* failOnce(account)
      const retried = yield* store.retry(account, job.id, 3)
      assert.deepStrictEqual(retried.options, job.options)
      assert.deepInclude(retried, { attempts: 0, billedMinutes: null, createdAt: job.createdAt })
      assert.deepInclude(retried.state, { status: "queued", phase: "waiting", run: 1, progress: 0 })
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 10, held: 3, floor: 0 })
      assert.strictEqual((yield* takeOne(account)).lease.attempt, 1)
    }),
  ),
  promise(
    "a job that fails again after a retry tells so under an id of its own",
    Effect.gen(function* () {
      const store = yield* JobStore
      const queue = yield* JobQueue
      const account = yield* newAccount(10)
      const endpoint = yield* addEndpoint(account)
      const job = yield* createJob(account)
      yield* failOnce(account)
      for (const _ of [2, 3]) {
        yield* store.retry(account, job.id, 1)
        yield* failOnce(account)
      }
      yield* store.retry(account, job.id, 1)
      const { lease } = yield* takeOne(account)
      yield* queue.complete(lease, finishedWith(), plain)
      const { id } = job
      assert.deepStrictEqual(yield* eventsTo(account, endpoint.id), [
        `${id}.done`,
        `${id}.failed`,
        `${id}.failed.2`,
        `${id}.failed.3`,
      ])
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 9, held: 0, floor: 0 })
      yield* booksAreRight
    }),
  ),
  promise(
    "only a failed job is retried, and only when its hold fits",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(5)
      const done = yield* createDone(account)
      const queued = yield* createJob(account)
      assert.strictEqual(yield* refusal(store.retry(account, done.id, 1)), "JobNotRetryable")
      assert.strictEqual(yield* refusal(store.retry(account, queued.id, 1)), "JobNotRetryable")
      const failed = yield* store.cancel(account, queued.id)
      assert.strictEqual(yield* refusal(store.retry(account, queued.id, 6)), "OutOfCredits")
      assert.deepStrictEqual(yield* getJob(account, queued.id), failed)
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 5, held: 0, floor: 0 })
      assert.deepStrictEqual(yield* takeUp([account]), [])
    }),
  ),
  promise(
    "a done job stays as it is, whatever comes",
    Effect.gen(function* () {
      const store = yield* JobStore
      const queue = yield* JobQueue
      const account = yield* newAccount(10)
      const endpoint = yield* addEndpoint(account)
      const job = yield* createJob(account)
      const { lease } = yield* takeOne(account)
      yield* queue.complete(lease, finishedWith({ text: "first" }), plain)
      const done = yield* getJob(account, job.id)
      assert.strictEqual(yield* refusal(store.cancel(account, job.id)), "JobAlreadyEnded")
      assert.strictEqual(yield* refusal(store.retry(account, job.id, 1)), "JobNotRetryable")
      const again = queue.complete(lease, finishedWith({ text: "second" }), plain)
      assert.strictEqual(yield* refusal(again), "LeaseLost")
      const failing = queue.fail(lease, { code: "engine_error", retryInSeconds: null })
      assert.strictEqual(yield* refusal(failing), "LeaseLost")
      yield* advance(3600)
      yield* queue.reapExpired(500)
      yield* sweepAll
      assert.deepStrictEqual(yield* getJob(account, job.id), done)
      assert.strictEqual((yield* store.content(account, job.id))?.text, "first")
      assert.deepStrictEqual(yield* eventsTo(account, endpoint.id), [`${job.id}.done`])
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 9, held: 0, floor: 0 })
    }),
  ),
  promise(
    "removing a queued job cancels it first",
    Effect.gen(function* () {
      const store = yield* JobStore
      const webhooks = yield* WebhookStore
      const queue = yield* JobQueue
      const account = yield* newAccount(10)
      const endpoint = yield* addEndpoint(account)
      const job = yield* createJob(account, { hold: 3 })
      const { lease } = yield* takeOne(account)
      yield* store.remove(account, job.id)
      assert.strictEqual(yield* refusal(store.get(account, job.id)), "JobNotFound")
      assert.strictEqual(yield* refusal(queue.release(lease)), "LeaseLost")
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 10, held: 0, floor: 0 })
      const [delivery] = yield* deliveriesOf(account, endpoint.id)
      assert.deepInclude(delivery, { eventId: `${job.id}.failed`, state: "pending" })
      const { body } = yield* webhooks.delivery(
        account,
        endpoint.id,
        delivery?.id ?? (yield* Effect.die("none")),
      )
      assert.include(body, "canceled")
      yield* booksAreRight
    }),
  ),
  promise(
    "removing a done job leaves its ledger entries and nothing else",
    Effect.gen(function* () {
      const store = yield* JobStore
      const queue = yield* JobQueue
      const account = yield* newAccount(10)
      const job = yield* createJob(account)
      const { lease } = yield* takeOne(account)
      yield* queue.complete(lease, finishedWith(), plain)
      yield* store.remove(account, job.id)
      for (const attempt of [store.get(account, job.id), store.remove(account, job.id)]) {
        assert.strictEqual(yield* refusal(attempt), "JobNotFound")
      }
      assert.strictEqual(yield* refusal(store.content(account, job.id)), "JobNotFound")
      const { items } = yield* store.list(account, { order: "desc", limit: 10, after: null })
      assert.deepStrictEqual(items, [])
      const settlement = (yield* linesOf(account)).find(({ kind }) => kind === "settlement")
      assert.deepInclude(settlement, { amount: -1, job: job.id })
      yield* booksAreRight
    }),
  ),
  promise(
    "what is past its retention fails as expired, or loses its content",
    Effect.gen(function* () {
      const store = yield* JobStore
      const queue = yield* JobQueue
      const account = yield* newAccount(10)
      const endpoint = yield* addEndpoint(account)
      const expiresAt = (yield* now) + 100_000
      const options = effectiveOptions({ transcriptText: "Good morning." })
      const queued = yield* createJob(account, { expiresAt, hold: 2, options })
      const { lease } = yield* takeOne(account, { leaseSeconds: 1000 })
      const done = yield* createDone(account, { expiresAt, options })
      const lasting = yield* createDone(account)
      yield* advance(99)
      yield* sweepAll
      assert.strictEqual((yield* getJob(account, queued.id)).state.status, "queued")
      assert.isNotNull(yield* store.content(account, done.id))
      for (const { id } of [queued, done])
        assert.deepStrictEqual((yield* getJob(account, id)).options, options)
      yield* advance(1)
      yield* sweepAll
      yield* failedWith(account, queued.id, "expired")
      assert.strictEqual(yield* refusal(queue.release(lease)), "LeaseLost")
      assert.strictEqual(yield* refusal(store.retry(account, queued.id, 1)), "JobNotRetryable")
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 10, held: 0, floor: 0 })
      assert.deepInclude((yield* getJob(account, done.id)).state, { status: "done", expired: true })
      assert.isNull(yield* store.content(account, done.id))
      // A text that the request brought is content too.
      for (const { id } of [queued, done])
        assert.deepStrictEqual((yield* getJob(account, id)).options, effectiveOptions({}))
      assert.isNotNull(yield* store.content(account, lasting.id))
      assert.deepStrictEqual(
        yield* eventsTo(account, endpoint.id),
        [`${queued.id}.failed`, `${done.id}.done`, `${lasting.id}.done`].sort(),
      )
    }),
  ),
  promise(
    "what is to be deleted some time after its end is deleted so long after the end of its last run",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(10)
      const options = effectiveOptions({ deleteAfterSeconds: 100 })
      const job = yield* createJob(account, { options })
      yield* advance(1000)
      yield* sweepAll
      assert.deepInclude(yield* getJob(account, job.id), { expiresAt: null, options })
      yield* failOnce(account)
      const failed = yield* getJob(account, job.id)
      assert.strictEqual(failed.expiresAt, endOf(failed) + 100_000)
      yield* store.retry(account, job.id, 1)
      yield* advance(1000)
      yield* sweepAll
      assert.isNull((yield* getJob(account, job.id)).expiresAt)
      const { lease } = yield* takeOne(account)
      yield* (yield* JobQueue).complete(lease, finishedWith(), plain)
      const done = yield* getJob(account, job.id)
      assert.strictEqual(done.expiresAt, endOf(done) + 100_000)
      const [listed] = (yield* store.list(account, { order: "desc", limit: 1, after: null })).items
      assert.strictEqual(listed?.expiresAt, done.expiresAt)
      yield* advance(99)
      yield* sweepAll
      assert.isNotNull(yield* store.content(account, job.id))
      yield* advance(2)
      yield* sweepAll
      assert.isNull(yield* store.content(account, job.id))
      assert.deepInclude((yield* getJob(account, job.id)).state, { status: "done", expired: true })
    }),
  ),
  promise(
    "a job that waited three days for credits fails for the lack of them",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount(2)
      const endpoint = yield* addEndpoint(account)
      const job = yield* createJob(account)
      const { lease } = yield* takeOne(account)
      yield* queue.park(lease, { credits: 9, durationSeconds: 500 })
      yield* advance(72 * 3600 - 1)
      yield* sweepAll
      assert.strictEqual((yield* getJob(account, job.id)).state.status, "queued")
      yield* advance(1)
      yield* sweepAll
      yield* failedWith(account, job.id, "insufficient_credits")
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 2, held: 0, floor: 0 })
      assert.strictEqual(yield* queue.wakeAccount(account), 0)
      assert.deepStrictEqual(yield* eventsTo(account, endpoint.id), [`${job.id}.failed`])
    }),
  ),
]
