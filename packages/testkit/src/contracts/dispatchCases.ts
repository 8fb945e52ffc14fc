import type { AccountId } from "@earmark/core/jobs"
import { type Dispatched, JobOutbox, JobQueue, JobStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, createJob, finishedWith, newAccount } from "./makers.js"
import { claim, drain, getJob, isLost, racing, takeUp } from "./working.js"

const plain = { cacheKey: null, shared: false } as const

interface Asked {
  readonly want?: number
  readonly cap?: number
  readonly seconds?: number
}

const dispatch = ({ want = 1000, cap = 1000, seconds = 30 }: Asked = {}) =>
  Effect.flatMap(JobOutbox, (outbox) => outbox.dispatch({ want, cap, seconds }))

const accept = (dispatched: ReadonlyArray<Dispatched>) =>
  Effect.flatMap(JobOutbox, (outbox) => outbox.accept(dispatched, { worker: "w", leaseSeconds: 60 }))

const jobs = (entries: ReadonlyArray<{ readonly job: string }>) => entries.map(({ job }) => job)

/** An account with jobs in an empty queue. */
const prepare = (count: number) =>
  Effect.gen(function* () {
    const account = yield* newAccount(100)
    yield* drain
    const made = yield* Effect.forEach(Array.from({ length: count }), () => createJob(account))
    return { account, ids: made.map(({ id }) => id) }
  })

const attemptsOf = (account: AccountId, ids: ReadonlyArray<Dispatched["job"]>) =>
  Effect.forEach(ids, (id) => Effect.map(getJob(account, id), ({ attempts }) => attempts))

export const dispatchCases: ReadonlyArray<StoreCase> = [
  promise(
    "an entry that was dispatched is accepted once, in the given order, and its attempt counts from then on",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const { account, ids } = yield* prepare(3)
      const out = yield* dispatch()
      assert.deepStrictEqual(jobs(out), ids)
      assert.deepStrictEqual(yield* attemptsOf(account, ids), [0, 0, 0])
      assert.deepStrictEqual(yield* claim(), [])
      assert.deepStrictEqual(yield* dispatch(), [])
      const reversed = [...out].reverse()
      const claimed = yield* accept(reversed)
      assert.deepStrictEqual(jobs(claimed.map(({ lease }) => lease)), [...ids].reverse())
      assert.deepStrictEqual(
        claimed.map(({ lease, job }) => [lease.job === job.id, lease.attempt, job.attempts]),
        [
          [true, 1, 1],
          [true, 1, 1],
          [true, 1, 1],
        ],
      )
      assert.deepStrictEqual(yield* attemptsOf(account, ids), [1, 1, 1])
      assert.deepStrictEqual(yield* accept(out), [])
      for (const { lease } of claimed) yield* queue.complete(lease, finishedWith(), plain)
    }),
  ),
  promise(
    "of racing acceptances of one entry one counts",
    Effect.gen(function* () {
      yield* prepare(20)
      const out = yield* dispatch()
      const accepted = (yield* racing(5, () => accept(out))).flat()
      assert.strictEqual(accepted.length, 20)
      assert.strictEqual(new Set(accepted.map(({ lease }) => lease.job)).size, 20)
      yield* drain
    }),
  ),
  promise(
    "what is dispatched is chosen in turns, and counts under the cap",
    Effect.gen(function* () {
      yield* drain
      const accounts = yield* Effect.forEach([1, 2, 3], () => newAccount(100))
      for (const account of accounts) yield* Effect.forEach([1, 2, 3, 4], () => createJob(account))
      const first = yield* accept(yield* dispatch({ want: 3, cap: 2 }))
      assert.sameMembers(
        first.map(({ job }) => job.account),
        [...accounts],
      )
      // One of each is leased, one of each is on its way: nothing is left under the cap, for whoever asks.
      assert.strictEqual((yield* dispatch({ cap: 2 })).length, 3)
      assert.deepStrictEqual(yield* dispatch({ cap: 2 }), [])
      assert.deepStrictEqual(yield* claim({ cap: 2 }), [])
      assert.deepStrictEqual(yield* dispatch({ want: 0 }), [])
    }),
  ),
  promise(
    "what nobody accepts in time is ready again, without an attempt, and its old token is worthless",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const { account, ids } = yield* prepare(2)
      // What other cases left on its way comes back as well.
      const mine = (entries: ReadonlyArray<Dispatched>) => entries.filter(({ job }) => ids.includes(job))
      for (let round = 0; round < 4; round++) {
        const out = mine(yield* dispatch({ seconds: 10 }))
        assert.strictEqual(out.length, 2)
        yield* advance(9)
        yield* queue.reapExpired(500)
        assert.deepStrictEqual(mine(yield* dispatch()), [])
        yield* advance(1)
        assert.deepStrictEqual(yield* accept(out), [])
        assert.isAtLeast(yield* queue.reapExpired(500), 2)
        assert.deepStrictEqual(yield* accept(out), [])
      }
      assert.deepStrictEqual(yield* attemptsOf(account, ids), [0, 0])
      const claimed = yield* takeUp([account])
      assert.deepStrictEqual(
        claimed.map(({ lease }) => [lease.job, lease.attempt]),
        ids.map((id) => [id, 1]),
      )
    }),
  ),
  promise(
    "what is given back is ready at once; what was accepted stays with its worker",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const outbox = yield* JobOutbox
      const { account, ids } = yield* prepare(2)
      const out = yield* dispatch()
      const [first, second] = out
      if (first === undefined || second === undefined) return yield* Effect.die("two")
      const [kept] = yield* accept([first])
      if (kept === undefined) return yield* Effect.die("accepted")
      yield* outbox.giveBack(out)
      yield* queue.report(kept.lease, { phase: "fetching", progress: 0 })
      assert.deepStrictEqual(yield* accept([second]), [])
      assert.deepStrictEqual(yield* attemptsOf(account, ids), [1, 0])
      assert.deepStrictEqual(jobs((yield* claim()).map(({ lease }) => lease)), [second.job])
    }),
  ),
  promise(
    "a token of the way is no lease",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      yield* prepare(1)
      const [out] = yield* dispatch()
      if (out === undefined) return yield* Effect.die("none dispatched")
      const forged = { ...out, attempt: 1 }
      assert.isTrue(yield* isLost(queue.report(forged, { phase: "fetching", progress: 0 })))
      assert.isTrue(yield* isLost(queue.release(forged)))
      assert.isTrue(yield* isLost(queue.complete(forged, finishedWith(), plain)))
      assert.deepStrictEqual(yield* queue.extend([forged], 60), [forged])
      assert.strictEqual((yield* accept([out])).length, 1)
      yield* drain
    }),
  ),
  promise(
    "a job that is canceled on its way is not accepted",
    Effect.gen(function* () {
      const store = yield* JobStore
      const { account, ids } = yield* prepare(2)
      const out = yield* dispatch()
      const [canceled, other] = ids
      if (canceled === undefined || other === undefined) return yield* Effect.die("two")
      yield* store.cancel(account, canceled)
      assert.deepStrictEqual(
        (yield* accept(out)).map(({ job }) => job.id),
        [other],
      )
    }),
  ),
]
