import { JobQueue, JobStore, Ledger } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { addEndpoint, advance, createJob, finishedWith, newAccount, newBatch, unique } from "./makers.js"
import {
  balanceOf,
  booksAreRight,
  deliveriesOf,
  eventsTo,
  getJob,
  linesOf,
  plain,
  refusal,
  span,
  succeeds,
  takeOne,
  takeUp,
} from "./working.js"

export const workCases: ReadonlyArray<StoreCase> = [
  promise(
    "a released job is ready at once, and its attempt does not count",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount()
      const job = yield* createJob(account)
      for (let round = 0; round < 5; round++) {
        const { lease } = yield* takeOne(account)
        assert.strictEqual(lease.attempt, 1)
        yield* queue.report(lease, { phase: "transcribing", progress: 0.4 })
        yield* queue.release(lease)
      }
      const stored = yield* getJob(account, job.id)
      assert.strictEqual(stored.attempts, 0)
      assert.deepInclude(stored.state, { status: "queued", phase: "waiting", progress: 0.4 })
    }),
  ),
  promise(
    "a failed attempt comes back after its delay and not before",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount()
      const endpoint = yield* addEndpoint(account)
      yield* createJob(account)
      const { lease } = yield* takeOne(account)
      const outcome = yield* queue.fail(lease, { code: "download_failed", retryInSeconds: 59.7 })
      assert.strictEqual(outcome, "again")
      assert.strictEqual(yield* refusal(queue.release(lease)), "LeaseLost")
      yield* advance(59)
      assert.deepStrictEqual(yield* takeUp([account]), [])
      yield* advance(1)
      assert.strictEqual((yield* takeOne(account)).lease.attempt, 2)
      assert.deepStrictEqual(yield* eventsTo(account, endpoint.id), [])
    }),
  ),
  promise(
    "a job ends when its attempts are spent: state, hold, one event, out of the queue",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount(10)
      const endpoint = yield* addEndpoint(account)
      const job = yield* createJob(account, { hold: 2 })
      const outcomes: Array<string> = []
      for (let attempt = 1; attempt <= 3; attempt++) {
        const { lease } = yield* takeOne(account)
        outcomes.push(yield* queue.fail(lease, { code: "engine_error", retryInSeconds: 0 }))
      }
      assert.deepStrictEqual(outcomes, ["again", "again", "failed"])
      const stored = yield* getJob(account, job.id)
      assert.deepInclude(stored, { attempts: 3, billedMinutes: 0 })
      assert.deepInclude(stored.state, { status: "failed", code: "engine_error", detail: null })
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 10, held: 0, floor: 0 })
      assert.deepStrictEqual(yield* eventsTo(account, endpoint.id), [`${job.id}.failed`])
      assert.deepStrictEqual(yield* takeUp([account]), [])
    }),
  ),
  promise(
    "a job that kills its worker each time ends after three attempts",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount(10)
      const endpoint = yield* addEndpoint(account)
      const job = yield* createJob(account)
      for (let attempt = 1; attempt <= 3; attempt++) {
        const { lease } = yield* takeOne(account, { leaseSeconds: 5 })
        assert.strictEqual(lease.attempt, attempt)
        yield* advance(5)
        yield* queue.reapExpired(500)
      }
      assert.deepInclude((yield* getJob(account, job.id)).state, { status: "failed", code: "internal_error" })
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 10, held: 0, floor: 0 })
      assert.deepStrictEqual(yield* eventsTo(account, endpoint.id), [`${job.id}.failed`])
      assert.deepStrictEqual(yield* takeUp([account]), [])
    }),
  ),
  promise(
    "a failure that nothing helps against ends the job at its first attempt, in the stage it was in",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount()
      const job = yield* createJob(account)
      const { lease } = yield* takeOne(account)
      yield* queue.report(lease, { phase: "decoding", progress: 0.2 })
      const detail = "The WAV file holds no samples; record or export it again."
      const failure = { code: "empty_media", detail, retryInSeconds: null } as const
      assert.strictEqual(yield* queue.fail(lease, failure), "failed")
      const { state } = yield* getJob(account, job.id)
      assert.deepInclude(state, {
        status: "failed",
        code: "empty_media",
        stage: "decoding",
        detail: failure.detail,
        progress: 0.2,
      })
      assert.strictEqual(yield* refusal(queue.release(lease)), "LeaseLost")
    }),
  ),
  promise(
    "completing writes state, content, settlement, event and deliveries, and frees the rest of the hold",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const store = yield* JobStore
      const account = yield* newAccount(60)
      const endpoint = yield* addEndpoint(account)
      const job = yield* createJob(account, { hold: 10 })
      const { lease } = yield* takeOne(account)
      yield* queue.report(lease, { phase: "finalizing", progress: 0.9 })
      const finished = finishedWith({ credits: 7, billedMinutes: 7, durationSeconds: 400, text: "the end" })
      yield* queue.complete(lease, finished, { cacheKeys: [yield* unique], shared: false })
      const done = yield* getJob(account, job.id)
      const { content, credits: _, minutes: __, ...facts } = finished
      assert.deepInclude(done, { ...facts, language: "en", attempts: 1 })
      assert.deepInclude(done.state, { status: "done", progress: 1, run: 0 })
      assert.deepStrictEqual(yield* store.content(account, job.id), content)
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 53, held: 0, floor: 0 })
      const lines = yield* linesOf(account)
      assert.deepStrictEqual(
        lines.filter(({ kind }) => kind === "settlement").map(({ amount, job: of }) => [amount, of]),
        [[-7, job.id]],
      )
      const deliveries = yield* deliveriesOf(account, endpoint.id)
      assert.deepStrictEqual(
        deliveries.map(({ eventId, eventType, state, attempts }) => [eventId, eventType, state, attempts]),
        [[`${job.id}.done`, "transcription.completed", "pending", 0]],
      )
      assert.strictEqual(yield* refusal(queue.complete(lease, finished, plain)), "LeaseLost")
      assert.deepStrictEqual(yield* takeUp([account]), [])
      yield* booksAreRight
    }),
  ),
  promise(
    "of racing ends of one job one counts: it is settled once and told once",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const store = yield* JobStore
      const account = yield* newAccount(60)
      const endpoint = yield* addEndpoint(account)
      const job = yield* createJob(account, { hold: 5 })
      const { lease } = yield* takeOne(account)
      const complete = () => queue.complete(lease, finishedWith({ credits: 5, billedMinutes: 5 }), plain)
      const ends = [
        ...Array.from({ length: 5 }, complete),
        store.cancel(account, job.id),
        queue.fail(lease, { code: "engine_error", retryInSeconds: null }),
        store.cancel(account, job.id),
      ]
      const results = yield* Effect.forEach(ends, succeeds, { concurrency: "unbounded" })
      assert.strictEqual(results.filter((ended) => ended).length, 1)
      const { state } = yield* getJob(account, job.id)
      const isDone = state.status === "done"
      assert.deepStrictEqual(yield* eventsTo(account, endpoint.id), [
        `${job.id}.${isDone ? "done" : "failed"}`,
      ])
      assert.deepStrictEqual(yield* balanceOf(account), { posted: isDone ? 55 : 60, held: 0, floor: 0 })
      yield* booksAreRight
    }),
  ),
  promise(
    "ends at the same moment succeed or fail each for itself",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const store = yield* JobStore
      const account = yield* newAccount(60)
      yield* Effect.forEach(Array.from({ length: 8 }), () => createJob(account, { hold: 2 }))
      const [released, dear, ...rest] = yield* takeUp([account])
      if (released === undefined || dear === undefined) return yield* Effect.dieMessage("too few jobs")
      yield* queue.release(released.lease)
      const ends = [
        ...rest.map(({ lease }) => queue.complete(lease, finishedWith({ credits: 2 }), plain)),
        queue.complete(released.lease, finishedWith({ credits: 2 }), plain),
        queue.complete(dear.lease, finishedWith({ credits: 3 }), plain),
      ]
      const results = yield* Effect.forEach(ends, succeeds, { concurrency: "unbounded" })
      assert.deepStrictEqual(results, [...rest.map(() => true), false, false])
      for (const { job } of rest) {
        assert.strictEqual((yield* getJob(account, job.id)).state.status, "done")
        assert.isNotNull(yield* store.content(account, job.id))
      }
      for (const { job } of [released, dear]) {
        assert.strictEqual((yield* getJob(account, job.id)).state.status, "queued")
        assert.isNull(yield* store.content(account, job.id))
      }
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 48, held: 4, floor: 0 })
      yield* booksAreRight
    }),
  ),
  promise(
    "an end that cannot be written in full is not written at all",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const store = yield* JobStore
      const account = yield* newAccount(60)
      const endpoint = yield* addEndpoint(account)
      const job = yield* createJob(account, { hold: 2 })
      const { lease } = yield* takeOne(account)
      const before = yield* getJob(account, job.id)
      // More than is held: no correct worker asks for it.
      const tooMuch = finishedWith({ credits: 3, billedMinutes: 3 })
      const cacheKey = yield* unique
      assert.isFalse(yield* succeeds(queue.complete(lease, tooMuch, { cacheKeys: [cacheKey], shared: true })))
      assert.deepStrictEqual(yield* getJob(account, job.id), before)
      assert.isNull(yield* store.content(account, job.id))
      assert.isNull(yield* store.cached(account, cacheKey))
      assert.deepStrictEqual(yield* eventsTo(account, endpoint.id), [])
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 60, held: 2, floor: 0 })
      yield* queue.complete(lease, finishedWith({ credits: 2, billedMinutes: 2 }), plain)
      assert.strictEqual((yield* getJob(account, job.id)).state.status, "done")
      yield* booksAreRight
    }),
  ),
  promise(
    "the hold is raised to the price, or nothing changes",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount(10)
      const job = yield* createJob(account)
      const { lease } = yield* takeOne(account)
      const raised = yield* Effect.flip(queue.raiseHold(lease, { credits: 11, durationSeconds: 660 }))
      assert.strictEqual(raised._tag, "OutOfCredits")
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 10, held: 1, floor: 0 })
      assert.isNull((yield* getJob(account, job.id)).durationSeconds)
      yield* queue.raiseHold(lease, { credits: 10, durationSeconds: 600 })
      yield* queue.raiseHold(lease, { credits: 10, durationSeconds: 600 })
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 10, held: 10, floor: 0 })
      assert.strictEqual((yield* getJob(account, job.id)).durationSeconds, 600)
    }),
  ),
  promise(
    "a parked job waits for credits, and its attempt does not count",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const ledger = yield* Ledger
      const account = yield* newAccount(5)
      const job = yield* createJob(account)
      const { lease } = yield* takeOne(account)
      yield* queue.saveSpan(lease, span(0))
      yield* queue.park(lease, { credits: 8, durationSeconds: 480 })
      assert.strictEqual(yield* refusal(queue.release(lease)), "LeaseLost")
      const parked = yield* getJob(account, job.id)
      assert.deepInclude(parked, { attempts: 0, durationSeconds: 480 })
      assert.deepInclude(parked.state, { status: "queued", phase: "waiting_for_credits" })
      yield* advance(3600)
      yield* queue.reapExpired(500)
      assert.deepStrictEqual(yield* takeUp([account]), [])
      assert.strictEqual(yield* queue.wakeAccount(account), 0)
      yield* ledger.adjust(account, 3, "top-up")
      assert.strictEqual(yield* queue.wakeAccount(account), 1)
      assert.strictEqual(yield* queue.wakeAccount(account), 0)
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 8, held: 8, floor: 0 })
      const next = yield* takeOne(account)
      assert.strictEqual(next.lease.attempt, 1)
      assert.deepStrictEqual(yield* queue.spans(job.id, -1), [span(0)])
      const finished = finishedWith({ credits: 8, billedMinutes: 8 })
      yield* queue.complete(next.lease, finished, plain)
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 0, held: 0, floor: 0 })
    }),
  ),
  promise(
    "a job that waits for credits goes on without them where nothing is billed any more",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount(5)
      const job = yield* createJob(account)
      const { lease } = yield* takeOne(account)
      yield* queue.park(lease, { credits: 8, durationSeconds: 480 })
      assert.strictEqual(yield* queue.wakeAccount(account), 0)
      while ((yield* queue.wakeAll(500)) > 0) {}
      assert.deepInclude((yield* getJob(account, job.id)).state, { status: "queued", phase: "waiting" })
      const next = yield* takeOne(account)
      assert.strictEqual(next.lease.attempt, 1)
      yield* queue.complete(next.lease, finishedWith({ credits: 0 }), plain)
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 5, held: 0, floor: 0 })
      yield* booksAreRight
    }),
  ),
  promise(
    "waking takes the oldest first, as far as holds fit, and only of that account",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const store = yield* JobStore
      const ledger = yield* Ledger
      const [account, other] = [yield* newAccount(1), yield* newAccount(1)]
      for (const owner of [account, other]) yield* store.createBatch(yield* newBatch(owner, [1, 3, 4, 1]))
      yield* ledger.adjust(account, 6, "top-up")
      yield* ledger.adjust(other, 6, "top-up")
      assert.strictEqual(yield* queue.wakeAccount(account), 1)
      const phases = Effect.gen(function* () {
        const { items } = yield* store.list(account, { order: "asc", limit: 10, after: null })
        return items.map(({ state }) => (state.status === "queued" ? state.phase : state.status)).sort()
      })
      assert.deepStrictEqual(yield* phases, [
        "waiting",
        "waiting",
        "waiting_for_credits",
        "waiting_for_credits",
      ])
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 7, held: 4, floor: 0 })
      assert.deepStrictEqual(yield* balanceOf(other), { posted: 7, held: 1, floor: 0 })
      yield* ledger.adjust(account, 1, "one more")
      assert.strictEqual(yield* queue.wakeAccount(account), 1)
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 8, held: 8, floor: 0 })
      yield* booksAreRight
    }),
  ),
  promise(
    "an entry that was set aside is not claimed until an operator puts it back, with its attempts at zero",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount()
      const job = yield* createJob(account)
      const { lease } = yield* takeOne(account)
      yield* queue.bury(lease, "the end could not be written")
      yield* advance(3600)
      yield* queue.reapExpired(500)
      assert.deepStrictEqual(yield* takeUp([account]), [])
      const dead = (yield* queue.dead(1000)).filter((entry) => entry.job === job.id)
      assert.deepStrictEqual(dead, [
        { job: job.id, account, attempts: 1, reason: "the end could not be written" },
      ])
      assert.isTrue(yield* queue.requeueDead(job.id))
      assert.isFalse(yield* queue.requeueDead(job.id))
      assert.strictEqual((yield* takeOne(account)).lease.attempt, 1)
    }),
  ),
]
