import { JobQueue, JobStore, Ledger } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { createJob, finishedWith, newAccount, newBatch, newGuard, newJob } from "./makers.js"
import { balanceOf, booksAreRight, drain, getJob, refusal, takeUp } from "./working.js"

const counts = { queued: 0, waitingForCredits: 0, done: 0, failed: 0 }

export const batchCases: ReadonlyArray<StoreCase> = [
  promise(
    "5,000 jobs of a feed are stored in one step; holds go newest first as far as they fit, the rest waits",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(2001)
      const batch = yield* newBatch(
        account,
        Array.from({ length: 5000 }, () => 2),
      )
      assert.deepStrictEqual(yield* store.createBatch(batch), { type: "done" })
      const status = yield* store.batch(account, batch.id)
      assert.deepInclude(status, { ...counts, total: 5000, queued: 5000, waitingForCredits: 4000 })
      assert.deepInclude(status, { feedUrl: batch.feedUrl, title: "A feed", progress: 0, canceledAt: null })
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 2001, held: 2000, floor: 0 })
      const phases = yield* Effect.forEach([0, 999, 1000, 4999], (index) =>
        Effect.gen(function* () {
          const { state } = yield* getJob(account, batch.jobs[index]?.id ?? (yield* Effect.die("no job")))
          return state.status === "queued" ? state.phase : state.status
        }),
      )
      assert.deepStrictEqual(phases, ["waiting", "waiting", "waiting_for_credits", "waiting_for_credits"])
      const canceled = yield* store.cancelBatch(account, batch.id)
      assert.deepStrictEqual(canceled, { canceled: 5000, alreadyEnded: 0 })
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 2001, held: 0, floor: 0 })
      yield* booksAreRight
    }),
  ),
  promise(
    "a batch is refused as a whole only when nothing at all is available",
    Effect.gen(function* () {
      const store = yield* JobStore
      const ledger = yield* Ledger
      const account = yield* newAccount(0)
      const guard = yield* newGuard()
      const batch = { ...(yield* newBatch(account, [3, 4])), guard }
      const refused = yield* Effect.flip(store.createBatch(batch))
      assert.deepInclude(refused, { _tag: "OutOfCredits", available: 0, needed: 7 })
      assert.isNull(yield* store.batch(account, batch.id))
      const { items } = yield* store.list(account, { order: "desc", limit: 10, after: null })
      assert.deepStrictEqual(items, [])
      yield* ledger.adjust(account, 1, "one")
      assert.deepStrictEqual(yield* store.createBatch(batch), { type: "done" })
      assert.deepInclude(yield* store.batch(account, batch.id), { queued: 2, waitingForCredits: 2 })
    }),
  ),
  promise(
    "with a batch no more jobs than allowed wait at once, and a refused one leaves nothing behind",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(9)
      yield* createJob(account)
      const batch = { ...(yield* newBatch(account, [1, 1])), guard: yield* newGuard() }
      const refused = yield* Effect.flip(store.createBatch({ ...batch, maxWaiting: 2 }))
      assert.deepInclude(refused, { _tag: "TooManyJobs", limit: 2 })
      assert.isNull(yield* store.batch(account, batch.id))
      assert.strictEqual((yield* balanceOf(account)).held, 1)
      assert.deepStrictEqual(yield* store.createBatch({ ...batch, maxWaiting: 3 }), { type: "done" })
      assert.deepStrictEqual(yield* store.createBatch({ ...batch, maxWaiting: 3 }), {
        type: "replayed",
        answer: batch.guard.answer,
      })
    }),
  ),
  promise(
    "the first job of a batch that does not fit ends the holds: a cheap old one never overtakes a newer one",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(6)
      const batch = yield* newBatch(account, [5, 2, 1])
      yield* store.createBatch(batch)
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 6, held: 5, floor: 0 })
      const ids = (yield* takeUp([account])).map(({ job }) => job.id)
      assert.deepStrictEqual(ids, [batch.jobs[0]?.id])
    }),
  ),
  promise(
    "jobs without a price need no credits",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(0)
      yield* store.createBatch(yield* newBatch(account, [0, 0]))
      assert.strictEqual((yield* takeUp([account])).length, 2)
    }),
  ),
  promise(
    "a repeated batch is answered with the first answer",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(10)
      const guard = yield* newGuard()
      const [first, second] = [yield* newBatch(account, [1, 1]), yield* newBatch(account, [1, 1])]
      assert.deepStrictEqual(yield* store.createBatch({ ...first, guard }), { type: "done" })
      const replayed = yield* store.createBatch({ ...second, guard: { ...guard, answer: "other" } })
      assert.deepStrictEqual(replayed, { type: "replayed", answer: guard.answer })
      assert.isNull(yield* store.batch(account, second.id))
      const job = yield* newJob(account)
      const reused = store.create(job, { guard: { ...guard, fingerprint: "f2" }, maxWaiting: null })
      assert.strictEqual(yield* refusal(reused), "IdempotencyKeyReused")
      yield* store.createBatch({ ...first, title: "again" })
      assert.strictEqual((yield* balanceOf(account)).held, 2)
    }),
  ),
  promise(
    "a whole feed never stands before a single job of its account",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(10)
      yield* drain
      yield* store.createBatch(yield* newBatch(account, [1, 1, 1]))
      const single = yield* createJob(account)
      const first = yield* takeUp([account], { want: 1 })
      assert.deepStrictEqual(
        first.map(({ job }) => job.id),
        [single.id],
      )
    }),
  ),
  promise(
    "a batch shows how far it is, and canceling it ends what is queued",
    Effect.gen(function* () {
      const store = yield* JobStore
      const queue = yield* JobQueue
      const account = yield* newAccount(10)
      const batch = yield* newBatch(account, [2, 2, 2, 2])
      yield* store.createBatch(batch)
      const [first, second, third] = yield* takeUp([account], { want: 3 })
      if (first === undefined || second === undefined || third === undefined)
        return yield* Effect.die("three")
      const finished = finishedWith({ credits: 2, billedMinutes: 2 })
      yield* queue.complete(first.lease, finished, { cacheKeys: [], shared: false })
      yield* queue.fail(second.lease, { code: "no_speech", retryInSeconds: null })
      yield* queue.report(third.lease, { phase: "transcribing", progress: 0.5 })
      const status = yield* store.batch(account, batch.id)
      assert.deepInclude(status, { ...counts, queued: 2, done: 1, failed: 1, billedMinutes: 2, total: 4 })
      assert.closeTo(status?.progress ?? 0, 2.5 / 4, 1e-6)
      assert.deepStrictEqual(yield* store.cancelBatch(account, batch.id), { canceled: 2, alreadyEnded: 2 })
      assert.strictEqual(yield* refusal(queue.release(third.lease)), "LeaseLost")
      const ended = yield* store.batch(account, batch.id)
      assert.deepInclude(ended, { ...counts, done: 1, failed: 3, progress: 1 })
      assert.isNotNull(ended?.canceledAt)
      assert.deepStrictEqual(yield* store.cancelBatch(account, batch.id), { canceled: 0, alreadyEnded: 4 })
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 8, held: 0, floor: 0 })
      yield* booksAreRight
    }),
  ),
  promise(
    "a batch keeps what the jobs cost that are removed from it",
    Effect.gen(function* () {
      const store = yield* JobStore
      const queue = yield* JobQueue
      const account = yield* newAccount(10)
      const batch = yield* newBatch(account, [2, 3, 2])
      yield* store.createBatch(batch)
      const [first, second] = yield* takeUp([account], { want: 2 })
      if (first === undefined || second === undefined) return yield* Effect.die("two")
      for (const { lease } of [first, second])
        yield* queue.complete(lease, finishedWith({ credits: 2, billedMinutes: 2 }), {
          cacheKeys: [],
          shared: false,
        })
      const cost = { total: 3, billedMinutes: 4 }
      assert.deepInclude(yield* store.batch(account, batch.id), { ...counts, ...cost, done: 2, queued: 1 })
      for (const { id } of batch.jobs) yield* store.remove(account, id)
      const after = yield* store.batch(account, batch.id)
      assert.deepInclude(after, { ...counts, ...cost, progress: 1 })
      assert.deepStrictEqual((yield* store.batches(account, { limit: 20, after: null })).items[0], after)
    }),
  ),
  promise(
    "a batch whose jobs have all ended is not canceled any more",
    Effect.gen(function* () {
      const store = yield* JobStore
      const queue = yield* JobQueue
      const account = yield* newAccount(10)
      const batch = yield* newBatch(account, [2])
      yield* store.createBatch(batch)
      const [only] = yield* takeUp([account], { want: 1 })
      if (only === undefined) return yield* Effect.die("one")
      yield* queue.fail(only.lease, { code: "no_speech", retryInSeconds: null })
      assert.deepStrictEqual(yield* store.cancelBatch(account, batch.id), { canceled: 0, alreadyEnded: 1 })
      assert.isNull((yield* store.batch(account, batch.id))?.canceledAt)
    }),
  ),
]
