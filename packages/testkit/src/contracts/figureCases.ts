import { Figures, JobQueue } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { addEndpoint, createDone, createJob, newAccount } from "./makers.js"
import { takeOne } from "./working.js"

const read = Effect.flatMap(Figures, (figures) => figures.read)

/** Other cases leave things behind: only what a step adds is compared. */
export const figureCases: ReadonlyArray<StoreCase> = [
  promise(
    "tell what is open, and nothing of what has ended",
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const before = yield* read
      const account = yield* newAccount(40)
      yield* addEndpoint(account)
      yield* createJob(account, { hold: 5 })
      const waiting = yield* read
      assert.strictEqual((waiting.phases.waiting ?? 0) - (before.phases.waiting ?? 0), 1)
      assert.strictEqual(waiting.queue.ready - before.queue.ready, 1)
      assert.strictEqual(waiting.credits.accounts - before.credits.accounts, 1)
      assert.strictEqual(waiting.credits.posted - before.credits.posted, 40)
      assert.strictEqual(waiting.credits.held - before.credits.held, 5)

      const { lease } = yield* takeOne(account)
      yield* queue.report(lease, { phase: "transcribing", progress: 0.1 })
      const working = yield* read
      assert.strictEqual((working.phases.transcribing ?? 0) - (before.phases.transcribing ?? 0), 1)
      assert.isAtLeast(working.queue.leased, 1)

      yield* queue.fail(lease, { code: "no_speech", retryInSeconds: null })
      yield* createDone(account)
      const ended = yield* read
      // Taking the one job has ended whatever else there was to take: compared is what came after.
      assert.strictEqual((working.phases.transcribing ?? 0) - (ended.phases.transcribing ?? 0), 1)
      assert.strictEqual(working.credits.held - ended.credits.held, 5)
      assert.strictEqual(ended.deliveries.pending - working.deliveries.pending, 2)
      assert.isAtLeast(ended.deliveries.overdueSeconds, 0)
    }),
  ),
  promise(
    "a store that works takes writes",
    Effect.flatMap(Figures, (figures) => figures.requireWritable),
  ),
]
