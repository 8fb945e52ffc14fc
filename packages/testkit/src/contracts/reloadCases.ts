import type { AccountId } from "@earmark/core/jobs"
import { JobQueue, JobStore, Ledger, type ReloadSettings } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, createJob, newAccount, newBatch, newJob, unique } from "./makers.js"
import { booksAreRight, racing, refusal, takeOne } from "./working.js"

const settings: ReloadSettings = { enabled: true, threshold: 10, amount: 50, monthlyCap: 120 }

const reloading = (credits: number) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const account = yield* newAccount(credits)
    yield* ledger.putReloadSettings(account, settings)
    return account
  })

/** The reloads that whoever looks after an account finds there, without having been told of anything. */
const foundFor = (account: AccountId) =>
  Effect.map(
    Effect.flatMap(Ledger, (ledger) => ledger.takeDueReloads(1000)),
    (reloads) =>
      reloads
        .filter((reload) => reload.account === account)
        .map(({ amount, attempt, state }) => ({ amount, attempt, state })),
  )

const opened = [{ amount: 50, attempt: 1, state: "pending" }]

export const reloadCases: ReadonlyArray<StoreCase> = [
  promise(
    "the hold that takes what is available below the threshold opens the reload, and no other does",
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const account = yield* reloading(12)
      yield* createJob(account, { hold: 2 })
      assert.deepStrictEqual(yield* foundFor(account), [])
      yield* createJob(account, { hold: 1 })
      yield* createJob(account, { hold: 1 })
      assert.deepStrictEqual(yield* foundFor(account), opened)
      // It is there for whoever comes when nobody charged it.
      yield* advance(60)
      assert.isNotNull(yield* ledger.takeReload(account))
      yield* advance(60)
      assert.deepStrictEqual(yield* foundFor(account), opened)
    }),
  ),
  promise(
    "of racing holds one opens the reload",
    Effect.gen(function* () {
      const account = yield* reloading(20)
      yield* racing(15, () => createJob(account, { hold: 1 }))
      assert.deepStrictEqual(yield* foundFor(account), opened)
      yield* booksAreRight
    }),
  ),
  promise(
    "a batch, a raised hold, a retry and a correction open one as well",
    Effect.gen(function* () {
      const [queue, store, ledger] = [yield* JobQueue, yield* JobStore, yield* Ledger]
      const byBatch = yield* reloading(30)
      yield* store.createBatch(yield* newBatch(byBatch, [10, 11, 12]))
      assert.deepStrictEqual(yield* foundFor(byBatch), opened)

      const byRaise = yield* reloading(12)
      const job = yield* createJob(byRaise, { hold: 1 })
      const { lease } = yield* takeOne(byRaise)
      assert.deepStrictEqual(yield* foundFor(byRaise), [])
      yield* queue.raiseHold(lease, { credits: 5, durationSeconds: 300 })
      assert.deepStrictEqual(yield* foundFor(byRaise), opened)

      const byRetry = yield* newAccount(10)
      const failed = yield* createJob(byRetry, { hold: 1 })
      yield* store.cancel(byRetry, failed.id)
      yield* ledger.putReloadSettings(byRetry, settings)
      yield* store.retry(byRetry, failed.id, 1)
      assert.deepStrictEqual(yield* foundFor(byRetry), opened)

      const byCorrection = yield* reloading(12)
      yield* ledger.adjust(byCorrection, -5, yield* unique)
      assert.deepStrictEqual(yield* foundFor(byCorrection), opened)
      yield* store.cancel(byRaise, job.id)
    }),
  ),
  promise(
    "what is refused opens none, and neither does what gives credits back",
    Effect.gen(function* () {
      const store = yield* JobStore
      const ledger = yield* Ledger
      const account = yield* newAccount(9)
      const job = yield* createJob(account, { hold: 1 })
      yield* ledger.putReloadSettings(account, settings)
      const large = yield* newJob(account, { hold: 100 })
      const refused = store.create(large, { guard: null, maxWaiting: null })
      assert.strictEqual(yield* refusal(refused), "OutOfCredits")
      yield* store.cancel(account, job.id)
      assert.deepStrictEqual(yield* foundFor(account), [])
      yield* ledger.putReloadSettings(account, { ...settings, enabled: false })
      yield* createJob(account, { hold: 1 })
      assert.deepStrictEqual(yield* foundFor(account), [])
    }),
  ),
]
