import { JobQueue, JobStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, createJob, finishedWith, newAccount } from "./makers.js"
import { getJob, plain, span, takeOne } from "./working.js"

export const progressCases: ReadonlyArray<StoreCase> = [
  promise(
    "progress never goes back, and every change that a reader can see is a new version",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount()
      const job = yield* createJob(account)
      const { lease } = yield* takeOne(account)
      yield* queue.report(lease, { phase: "transcribing", progress: 0.5 })
      const half = yield* getJob(account, job.id)
      assert.deepInclude(half.state, { phase: "transcribing", progress: 0.5 })
      yield* queue.report(lease, { phase: "transcribing", progress: 0.3 })
      const same = yield* getJob(account, job.id)
      assert.deepInclude(same.state, { phase: "transcribing", progress: 0.5 })
      yield* queue.report(lease, { phase: "diarizing", progress: 0.9 })
      const more = yield* getJob(account, job.id)
      assert.deepInclude(more.state, { phase: "diarizing", progress: 0.9 })
      assert.isAbove(half.version, 1)
      assert.isAtLeast(same.version, half.version)
      assert.isAbove(more.version, same.version)
    }),
  ),
  promise(
    "a span is written once, and a worker that takes over finds all of them in order",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount()
      const { id } = yield* createJob(account)
      const first = yield* takeOne(account, { leaseSeconds: 5 })
      yield* queue.saveSpan(first.lease, span(1))
      yield* queue.saveSpan(first.lease, span(0))
      yield* queue.saveSpan(first.lease, span(0, "other"))
      yield* advance(5)
      yield* queue.reapExpired(500)
      const second = yield* takeOne(account)
      assert.deepStrictEqual(yield* queue.spans(id, -1), [span(0), span(1)])
      yield* queue.saveSpan(second.lease, span(2))
      assert.deepStrictEqual(yield* queue.spans(id, 0), [span(1), span(2)])
      assert.deepStrictEqual(yield* queue.spans(id, 2), [])
      yield* queue.complete(second.lease, finishedWith(), plain)
      assert.deepStrictEqual(yield* queue.spans(id, -1), [])
    }),
  ),
  promise(
    "who goes on with a plan finds its spans, and who has another plan begins anew",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount()
      const { id } = yield* createJob(account)
      const first = yield* takeOne(account)
      assert.deepStrictEqual(yield* queue.resume(first.lease, "one"), [])
      yield* queue.saveSpan(first.lease, span(1))
      yield* queue.saveSpan(first.lease, span(0))
      yield* queue.release(first.lease)
      const second = yield* takeOne(account)
      assert.deepStrictEqual(yield* queue.resume(second.lease, "one"), [span(0), span(1)])
      yield* queue.release(second.lease)
      const third = yield* takeOne(account)
      assert.deepStrictEqual(yield* queue.resume(third.lease, "two"), [])
      assert.deepStrictEqual(yield* queue.spans(id, -1), [])
      yield* queue.saveSpan(third.lease, span(0, "other"))
      assert.deepStrictEqual(yield* queue.resume(third.lease, "two"), [span(0, "other")])
    }),
  ),
  promise(
    "the next run of a job does not find the spans of the last one",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const store = yield* JobStore
      const account = yield* newAccount()
      const { id } = yield* createJob(account)
      const { lease } = yield* takeOne(account)
      yield* queue.saveSpan(lease, span(0))
      yield* queue.fail(lease, { code: "engine_error", retryInSeconds: null })
      yield* store.retry(account, id, 1)
      yield* takeOne(account)
      assert.deepStrictEqual(yield* queue.spans(id, -1), [])
    }),
  ),
]
