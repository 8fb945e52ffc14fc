import type { AccountId } from "@earmark/core/jobs"
import { type Claimed, JobQueue, JobStore, type Lease, LeaseLost, TimeLimit } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Clock, Effect, Stream } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, createJob, finishedWith, newAccount, newBatch } from "./makers.js"
import { found } from "./sourceCases.js"
import { claim, drain, getJob, isLost, racing, succeeds, takeOne, takeUp } from "./working.js"

const plain = { cacheKeys: [], shared: false } as const

/** Every write that a worker can do, and that nothing but its lease stands in the way of. */
const writesWith = (lease: Lease) =>
  Effect.map(JobQueue, (queue) => ({
    // An extension refuses nothing: it names what is lost.
    extend: Effect.flatMap(queue.extend([lease], 60), ([lost]) =>
      lost === undefined ? Effect.void : new LeaseLost({ job: lost.job }),
    ),
    describe: queue.describe(lease, found),
    report: queue.report(lease, { phase: "decoding", progress: 0.9 }),
    resume: queue.resume(lease, "plan"),
    saveSpan: queue.saveSpan(lease, { index: 9, start: 0, end: 1, words: [] }),
    raiseHold: queue.raiseHold(lease, { credits: 2, durationSeconds: 99 }),
    park: queue.park(lease, { credits: 2, durationSeconds: 99 }),
    release: queue.release(lease),
    bury: queue.bury(lease, "broken"),
    failForNow: queue.fail(lease, { code: "engine_error", retryInSeconds: 10 }),
    failForGood: queue.fail(lease, { code: "engine_error", retryInSeconds: null }),
    complete: queue.complete(lease, finishedWith(), plain),
  }))

const distinct = (claimed: ReadonlyArray<Claimed>): number => new Set(claimed.map(({ job }) => job.id)).size

const shares = (claimed: ReadonlyArray<Claimed>, accounts: ReadonlyArray<AccountId>): ReadonlyArray<number> =>
  accounts.map((account) => claimed.filter(({ job }) => job.account === account).length)

/** Whether a wake-up comes while something is done. */
const isWoken = <E, R>(stream: Stream.Stream<void>, cause: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const waiting = yield* Effect.fork(
      stream.pipe(Stream.take(1), Stream.runDrain, Effect.as(true), TimeLimit.option("500 millis")),
    )
    // Time for the reader to begin listening: what it misses before is not sent again.
    yield* Effect.sleep("50 millis")
    yield* cause
    return (yield* waiting)._tag === "Some"
  })

export const claimCases: ReadonlyArray<StoreCase> = [
  promise(
    "nothing wanted or nothing there: nothing is claimed",
    Effect.gen(function* () {
      const account = yield* newAccount()
      yield* drain
      assert.deepStrictEqual(yield* claim(), [])
      yield* createJob(account)
      assert.deepStrictEqual(yield* claim({ want: 0 }), [])
      assert.deepStrictEqual(yield* claim({ cap: 0 }), [])
      assert.strictEqual((yield* takeUp([account])).length, 1)
    }),
  ),
  promise(
    "a claim takes no more than is wanted",
    Effect.gen(function* () {
      const account = yield* newAccount()
      yield* drain
      yield* Effect.forEach([1, 2, 3, 4, 5], () => createJob(account))
      assert.strictEqual((yield* claim({ want: 2 })).length, 2)
      assert.strictEqual((yield* claim({ want: 10 })).length, 3)
    }),
  ),
  promise(
    "an entry is held by one worker at a time, whatever the number of racing claims",
    Effect.gen(function* () {
      const account = yield* newAccount()
      yield* drain
      yield* Effect.forEach(Array.from({ length: 50 }), () => createJob(account))
      const claimed = (yield* racing(8, () => claim({ want: 10 }))).flat()
      assert.strictEqual(claimed.length, distinct(claimed))
      const rest = yield* claim()
      assert.strictEqual(distinct([...claimed, ...rest]), 50)
      assert.strictEqual(claimed.length + rest.length, 50)
    }),
  ),
  promise(
    "accounts take turns: none has a second job before every other has its first",
    Effect.gen(function* () {
      const store = yield* JobStore
      const busy = yield* newAccount(500)
      yield* drain
      yield* store.createBatch(
        yield* newBatch(
          busy,
          Array.from({ length: 200 }, () => 1),
        ),
      )
      const others = yield* Effect.forEach(Array.from({ length: 9 }), () => newAccount())
      for (const account of others) yield* Effect.forEach([1, 2, 3], () => createJob(account))
      const all = [busy, ...others]
      const first = yield* claim({ want: 10 })
      assert.deepStrictEqual(shares(first, all), Array(10).fill(1))
      const second = yield* claim({ want: 10 })
      assert.deepStrictEqual(shares(second, all), Array(10).fill(1))
      // What an account runs already counts as turns it had.
      const late = yield* newAccount()
      yield* Effect.forEach([1, 2, 3], () => createJob(late))
      assert.deepStrictEqual(shares(yield* claim({ want: 2 }), [late]), [2])
    }),
  ),
  promise(
    "accounts take turns also when one slot is all there is, whoever has waited with most",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const accounts = yield* Effect.forEach([1, 2, 3], () => newAccount(100))
      yield* drain
      for (const account of accounts) yield* Effect.forEach([1, 2, 3], () => createJob(account))
      const served: Array<AccountId> = []
      for (let turn = 0; turn < 9; turn++) {
        const [claimed] = yield* claim({ want: 1 })
        if (claimed === undefined) return yield* Effect.die("none claimed")
        served.push(claimed.job.account)
        // Whether a job ends or comes back, its account had its turn.
        if (turn === 1) yield* queue.release(claimed.lease)
        else yield* queue.complete(claimed.lease, finishedWith(), plain)
      }
      for (const round of [served.slice(0, 3), served.slice(3, 6), served.slice(6)]) {
        assert.sameMembers(round, [...accounts])
      }
      yield* drain
    }),
  ),
  promise(
    "with eight racing claimers no account runs more than its cap, and nothing is handed out twice",
    Effect.gen(function* () {
      const accounts = yield* Effect.forEach(Array.from({ length: 6 }), () => newAccount(100))
      yield* drain
      for (const account of accounts)
        yield* Effect.forEach(Array.from({ length: 12 }), () => createJob(account))
      const claimed = (yield* racing(8, () => claim({ want: 20, cap: 3 }))).flat()
      assert.strictEqual(claimed.length, distinct(claimed))
      for (const share of shares(claimed, accounts)) assert.isAtMost(share, 3)
      const rest = yield* claim({ cap: 3 })
      assert.deepStrictEqual(shares([...claimed, ...rest], accounts), Array(6).fill(3))
      assert.deepStrictEqual(yield* claim({ cap: 3 }), [])
    }),
  ),
  promise(
    "an ended job makes room under the cap",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount()
      yield* Effect.forEach([1, 2, 3], () => createJob(account))
      const [first] = yield* takeUp([account], { cap: 2 })
      if (first === undefined) return yield* Effect.die("none claimed")
      assert.deepStrictEqual(yield* takeUp([account], { cap: 2 }), [])
      yield* queue.complete(first.lease, finishedWith(), plain)
      assert.strictEqual((yield* takeUp([account], { cap: 2 })).length, 1)
    }),
  ),
  promise(
    "the jobs of an account come oldest first",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const jobs = yield* Effect.forEach([1, 2, 3, 4], () => createJob(account))
      const ids: Array<string> = []
      for (const _ of jobs) {
        const [claimed] = yield* takeUp([account], { want: 1 })
        ids.push(claimed?.job.id ?? "none")
      }
      assert.deepStrictEqual(
        ids,
        jobs.map(({ id }) => id),
      )
    }),
  ),
  promise(
    "an attempt counts when it begins",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const job = yield* createJob(account)
      const { lease, job: claimed } = yield* takeOne(account)
      assert.strictEqual(lease.attempt, 1)
      assert.strictEqual(claimed.attempts, 1)
      assert.strictEqual((yield* getJob(account, job.id)).attempts, 1)
    }),
  ),
  promise(
    "a lease that ran out is worthless at once, and its job is claimable after a reap",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount()
      const job = yield* createJob(account)
      const { lease } = yield* takeOne(account, { leaseSeconds: 10 })
      yield* advance(9)
      yield* queue.reapExpired(500)
      assert.deepStrictEqual(yield* takeUp([account]), [])
      yield* queue.report(lease, { phase: "fetching", progress: 0 })
      yield* advance(1)
      for (const write of Object.values(yield* writesWith(lease))) assert.isTrue(yield* isLost(write))
      assert.isAtLeast(yield* queue.reapExpired(500), 1)
      const next = yield* takeOne(account)
      assert.deepInclude(next.lease, { job: job.id, attempt: 2 })
      assert.notStrictEqual(next.lease.token, lease.token)
    }),
  ),
  ...(
    [
      "extend",
      "describe",
      "report",
      "resume",
      "saveSpan",
      "raiseHold",
      "park",
      "release",
      "bury",
      "failForNow",
      "failForGood",
      "complete",
    ] as const
  ).map((write) =>
    promise(
      `an old lease cannot ${write} while a newer one is out, and takes nothing from it`,
      Effect.gen(function* () {
        const queue = yield* JobQueue
        const account = yield* newAccount()
        const { id } = yield* createJob(account)
        const old = yield* takeOne(account, { leaseSeconds: 10 })
        yield* advance(10)
        yield* queue.reapExpired(500)
        const { lease } = yield* takeOne(account)
        const before = yield* getJob(account, id)
        assert.isTrue(yield* isLost((yield* writesWith(old.lease))[write]))
        assert.deepStrictEqual(yield* getJob(account, id), before)
        assert.deepStrictEqual(yield* queue.spans(id, -1), [])
        assert.isTrue(yield* succeeds(queue.complete(lease, finishedWith(), plain)))
      }),
    ),
  ),
  promise(
    "extending prolongs what is held and tells exactly what is lost",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount()
      yield* Effect.forEach([1, 2, 3], () => createJob(account))
      const leases = (yield* takeUp([account], { leaseSeconds: 10 })).map(({ lease }) => lease)
      const [first, second, third] = leases
      if (first === undefined || second === undefined || third === undefined)
        return yield* Effect.die("three")
      yield* queue.release(second)
      const forged = { ...third, token: second.token }
      assert.deepStrictEqual(yield* queue.extend([first, second, third, forged], 30), [second, forged])
      assert.deepStrictEqual(yield* queue.extend([], 30), [])
      yield* advance(29)
      assert.deepStrictEqual(yield* queue.extend([first], 5), [])
      yield* advance(4)
      assert.deepStrictEqual(yield* queue.extend(leases, 5), [second, third])
    }),
  ),
  promise(
    "the clock of a worker does not matter",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount()
      const clock = yield* Effect.clock
      const shifted = (hours: number): Clock.Clock => ({
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis() + hours * 3_600_000,
        unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos() + BigInt(hours) * 3_600_000_000_000n,
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + hours * 3_600_000),
        currentTimeNanos: Effect.map(
          clock.currentTimeNanos,
          (now) => now + BigInt(hours) * 3_600_000_000_000n,
        ),
        sleep: (duration) => clock.sleep(duration),
      })
      yield* createJob(account)
      const { lease } = yield* takeOne(account).pipe(Effect.withClock(shifted(-1)))
      yield* Effect.withClock(queue.reapExpired(500), shifted(1))
      const seen = { phase: "fetching", progress: 0.1 } as const
      yield* Effect.withClock(queue.report(lease, seen), shifted(1))
      assert.deepStrictEqual(yield* takeUp([account]), [])
      yield* Effect.withClock(queue.fail(lease, { code: "engine_error", retryInSeconds: 60 }), shifted(-1))
      assert.deepStrictEqual(yield* Effect.withClock(takeUp([account]), shifted(1)), [])
      yield* advance(60)
      assert.strictEqual((yield* takeUp([account])).length, 1)
    }),
  ),
  promise(
    "a wake-up comes soon after something became claimable, and nothing waits for a reader",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount()
      yield* createJob(account)
      // A hint may be missing, but not three times in a row.
      let woken = false
      for (let round = 0; round < 3 && !woken; round++) {
        woken = yield* isWoken(queue.wakeUps, createJob(account))
      }
      assert.isTrue(woken)
      yield* Effect.forEach(Array.from({ length: 20 }), () => createJob(account))
      assert.strictEqual((yield* takeUp([account], { want: 30 })).length >= 22, true)
    }),
  ),
  promise(
    "the queue counts its entries by state",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const account = yield* newAccount()
      yield* drain
      const before = yield* queue.stats
      yield* Effect.forEach([1, 2, 3, 4], () => createJob(account))
      const [first] = yield* claim({ want: 1 })
      const [second] = yield* claim({ want: 1 })
      if (first === undefined || second === undefined) return yield* Effect.die("two")
      yield* queue.fail(second.lease, { code: "engine_error", retryInSeconds: 60 })
      yield* advance(5)
      const after = yield* queue.stats
      assert.strictEqual(after.ready, 2)
      assert.strictEqual(after.scheduled - before.scheduled, 1)
      assert.strictEqual(after.leased - before.leased, 1)
      assert.strictEqual(after.dead, before.dead)
      assert.closeTo(after.oldestSeconds, 5, 2)
      yield* Effect.forEach([first], ({ lease }) => queue.release(lease))
    }),
  ),
]
