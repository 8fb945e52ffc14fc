import {
  Accounts,
  Earmark,
  JobQueue,
  Ledger,
  ScriptedReceiver,
  StorageError,
  type StoredJob,
  Webhooks,
  Worker,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, Layer, TestContext } from "effect"
import {
  balance,
  create,
  get,
  inWorld,
  newAccount,
  pass,
  settle,
  stop,
  stored,
  type World,
  withDeliveries,
  withUpkeep,
} from "../world.js"
import { type Cut, doomed } from "./cutting.js"

// Few clocks tick, so that many crashes take little time.
const rare = Duration.seconds(50)
const calm: World = {
  worker: { lease: Duration.seconds(30), pollEvery: rare, upkeepEvery: rare },
  delivery: { pollEvery: rare },
}

const newJob = Effect.gen(function* () {
  const account = yield* newAccount({ paid: true, credits: 100 })
  const webhooks = yield* Webhooks
  yield* webhooks.create(account, { url: "https://hooks.example/in" })
  const url = "https://a.example/talk.mp3?seconds=100"
  const { id } = yield* create(account, { url, diarize: true, summary: true, translate_to: "de" })
  return { account, id }
})

/** A worker that is killed at a cut, and one that comes after it. */
const killed = (cut: Cut) =>
  Effect.gen(function* () {
    const { account, id } = yield* newJob
    const first = yield* doomed(cut)
    const dying = yield* Effect.forkDaemon(first.worker.run)
    yield* settle
    const wasKilled = first.isDead()
    yield* Fiber.interruptFork(dying)
    const second = yield* Worker
    const living = yield* Effect.fork(second.run)
    yield* withUpkeep(pass("2 minutes"))
    const job = yield* stored(account, id)
    yield* stop(living)
    return { account, id, job, wasKilled, calls: first.calls() }
  })

const alone = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  test.pipe(Effect.scoped, inWorld(calm), Effect.provide(TestContext.TestContext))

const check = (cut: Cut, whole: StoredJob) =>
  Effect.gen(function* () {
    const message = `killed at call ${cut.at}${cut.answerLost ? ", its answer lost" : ""}`
    const { account, id, job, wasKilled } = yield* killed(cut)
    assert.isTrue(wasKilled, message)
    assert.strictEqual(job.state.status, "done", message)
    assert.strictEqual(job.wordCount, whole.wordCount, message)
    assert.strictEqual(job.billedMinutes, whole.billedMinutes, message)
    assert.deepStrictEqual(yield* balance(account), { posted: 98, held: 0 }, message)
    const done = yield* get(account, id)
    assert.strictEqual(done.status === "done" && done.translation?.language, "de", message)
    const ledger = yield* Ledger
    const { items } = yield* ledger.entries(account, { limit: 100, after: null })
    assert.strictEqual(items.filter(({ kind }) => kind === "settlement").length, 1, message)
    assert.deepStrictEqual(yield* ledger.verify, [], message)
    const { ready, leased, scheduled, dead } = yield* Effect.flatMap(JobQueue, (queue) => queue.stats)
    assert.deepStrictEqual([ready, leased, scheduled, dead], [0, 0, 0, 0], message)
    yield* withDeliveries(settle)
    const { received } = yield* ScriptedReceiver
    const events = (yield* received).map(({ headers }) => headers["Service-Event-Id"])
    assert.deepStrictEqual(events, [`${id}.done`], message)
  })

describe("a worker killed at every step", () => {
  it.live(
    "loses nothing and doubles nothing, whichever call was the last",
    () =>
      Effect.gen(function* () {
        const whole = yield* alone(killed({ at: Number.POSITIVE_INFINITY, answerLost: false }))
        assert.strictEqual(whole.job.state.status, "done")
        assert.isAbove(whole.calls, 20)
        const cuts = Array.from({ length: whole.calls }, (_, index) => index + 1).flatMap((at) => [
          { at, answerLost: false },
          { at, answerLost: true },
        ])
        yield* Effect.forEach(cuts, (cut) => alone(check(cut, whole.job)), { concurrency: 16 })
      }),
    60_000,
  )
})

/** The worker over an account store that cannot be reached for the first three questions. */
const overFlakyAccounts = Effect.gen(function* () {
  let failures = 3
  const flaky = Layer.effect(
    Accounts,
    Effect.map(Accounts, (accounts) =>
      Accounts.of({
        ...accounts,
        get: (id) =>
          Effect.suspend(() =>
            failures-- > 0
              ? Effect.fail(
                  new StorageError({ operation: "Accounts.get", reason: "unavailable", cause: "down" }),
                )
              : accounts.get(id),
          ),
      }),
    ),
  )
  const context = yield* Layer.build(Layer.fresh(Earmark.loops).pipe(Layer.provide(Layer.fresh(flaky))))
  return { worker: Context.get(context, Worker), failuresLeft: () => failures }
})

describe("a store that is away for a moment", () => {
  it.live("costs a job no attempt", () =>
    alone(
      Effect.gen(function* () {
        const { account, id } = yield* newJob
        const { worker, failuresLeft } = yield* overFlakyAccounts
        const working = yield* Effect.fork(worker.run)
        yield* pass("2 minutes")
        const job = yield* stored(account, id)
        yield* stop(working)
        assert.isBelow(failuresLeft(), 0)
        assert.deepStrictEqual([job.state.status, job.attempts], ["done", 1])
      }),
    ),
  )
})
