import { JobQueue, JobStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { begin, create, ended, FREE_CREDITS, type Life, pick, STEPS, steps } from "./historySteps.js"
import { balanceOf, booksAreRight, eventsTo, getJob, isLost, linesOf, takeUp } from "./working.js"

const HISTORIES = 8

/** What holds at every moment: no book is wrong, no end changes, nothing is below the floor. */
const check = (life: Life) =>
  Effect.gen(function* () {
    yield* booksAreRight
    const { posted, held, floor } = yield* balanceOf(life.account)
    assert.strictEqual(posted, life.credits)
    assert.isAtLeast(posted - held, floor)
    const known = pick(
      life,
      [...life.jobs.values()].filter(({ end }) => end !== null),
    )
    if (known !== undefined) assert.deepStrictEqual(yield* getJob(life.account, known.id), known.end)
  })

/** Every job that nothing stands in the way of can be claimed. */
const claimRest = (life: Life) =>
  Effect.gen(function* () {
    const waiting = yield* Effect.filter([...life.jobs.values()], ({ id, status, held }) =>
      Effect.map(
        getJob(life.account, id),
        ({ state }) =>
          status === "queued" &&
          held === null &&
          state.status === "queued" &&
          state.phase !== "waiting_for_credits",
      ),
    )
    const claimed = yield* takeUp([life.account])
    assert.deepStrictEqual(claimed.map(({ job }) => job.id).sort(), waiting.map(({ id }) => id).sort())
    life.leases.push(...claimed.map(({ lease }) => lease))
  })

/** What holds once everything has come to rest. */
const finish = (life: Life) =>
  Effect.gen(function* () {
    const store = yield* JobStore
    yield* claimRest(life)
    for (const known of life.jobs.values()) {
      if (known.status !== "queued") continue
      yield* store.cancel(life.account, known.id)
      yield* ended(life, known, "failed")
    }
    for (const { id, end } of life.jobs.values()) {
      assert.deepStrictEqual(yield* getJob(life.account, id), end)
    }
    for (const lease of life.leases) {
      const queue = yield* JobQueue
      assert.isTrue(yield* isLost(queue.release(lease)))
    }
    assert.deepStrictEqual(yield* eventsTo(life.account, life.endpoint), life.events.sort())
    assert.deepStrictEqual(yield* balanceOf(life.account), { posted: life.credits, held: 0, floor: 0 })
    const billed = [...life.jobs.values()].reduce((sum, { end }) => sum + (end?.billedMinutes ?? 0), 0)
    const paid = FREE_CREDITS + 4 * life.payments.length
    assert.strictEqual(paid - life.credits, billed)
    const settlements = (yield* linesOf(life.account)).filter(({ kind }) => kind === "settlement")
    assert.strictEqual(new Set(settlements.map(({ job }) => job)).size, settlements.length)
    yield* booksAreRight
  })

const live = (seed: number) =>
  Effect.gen(function* () {
    const life = yield* begin(seed)
    for (let step = 0; step < STEPS; step++) {
      const act = pick(life, steps) ?? create
      yield* act(life)
      yield* check(life)
    }
    yield* finish(life)
  })

/** Random histories with repeats and several workers; a failing one fails again, since its number is its seed. */
export const historyCases: ReadonlyArray<StoreCase> = Array.from({ length: HISTORIES }, (_, index) =>
  promise(`whatever happens, in whatever order: history ${index + 1}`, live(index + 1)),
)
