import { type AccountId, JobId } from "@earmark/core/jobs"
import { CreditDesk, JobQueue, JobStore, Ledger, StoreMemory, Transcriptions, Worker } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Duration, Effect, Fiber, Layer, Logger, LogLevel } from "effect"
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
  withUpkeep,
  withWorker,
} from "../world.js"

const talk = "https://a.example/talk.mp3?seconds=90"

describe("a worker brings jobs to their end", () => {
  it.effect("a queued job is done, and costs what was held", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id, status } = yield* create(account, { url: talk })
      assert.strictEqual(status, "queued")
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 2 })
      yield* withWorker(settle)
      const job = yield* get(account, id)
      if (job.status !== "done") return assert.fail(job.status)
      assert.strictEqual(job.durationSeconds, 90)
      assert.strictEqual(job.billedMinutes, 2)
      assert.isAbove(job.segments.length, 1)
      assert.strictEqual(job.integrity?.coverage, 1)
      assert.deepStrictEqual(yield* balance(account), { posted: 58, held: 0 })
    }).pipe(inWorld()),
  )

  it.effect(
    "diarized long media costs three times as much, unless the speakers could not be told apart",
    () =>
      Effect.gen(function* () {
        const account = yield* newAccount({ paid: true, credits: 100 })
        const long = "https://a.example/talk.mp3?seconds=660"
        const apart = yield* create(account, { url: long, diarize: true })
        const mixed = yield* create(account, { url: `${long}&mixed`, diarize: true })
        yield* withWorker(settle)
        assert.strictEqual((yield* get(account, apart.id)).billedMinutes, 33)
        const job = yield* get(account, mixed.id)
        assert.strictEqual(job.billedMinutes, 11)
        assert.deepStrictEqual(
          job.warnings.map(({ code }) => code),
          ["diarization_failed"],
        )
        assert.deepStrictEqual(yield* balance(account), { posted: 56, held: 0 })
      }).pipe(inWorld()),
  )

  it.effect(
    "a job that fails says what was the matter, in the sentence of its media where there is one",
    () =>
      Effect.gen(function* () {
        const account = yield* newAccount()
        const broken = "https://a.example/film.mp4?broken=unsupported_media"
        const plain = yield* create(account, { url: broken })
        const told = yield* create(account, { url: `${broken}&why=The+file+has+no+audio+track.` })
        yield* withWorker(settle)
        assert.match((yield* get(account, plain.id)).error ?? "", /^The file is not audio or video/)
        const job = yield* get(account, told.id)
        assert.deepInclude(job, { status: "failed", error: "The file has no audio track." })
        assert.strictEqual(job.failure?.code, "unsupported_media")
      }).pipe(inWorld()),
  )

  it.effect("an extra that fails never fails the job", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id } = yield* create(account, { url: talk, translate_to: "xx", summary: true })
      yield* withWorker(settle)
      const job = yield* get(account, id)
      assert.strictEqual(job.status, "done")
      assert.strictEqual(job.enrichment.translation?.status, "failed")
      assert.strictEqual(job.enrichment.summary?.status, "done")
    }).pipe(inWorld()),
  )

  it.effect("media in which nobody speaks fails the job, which costs nothing", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id } = yield* create(account, { url: `${talk}&silent` })
      yield* withWorker(settle)
      const job = yield* get(account, id)
      assert.strictEqual(job.failure?.code, "no_speech")
      assert.strictEqual(job.billedMinutes, 0)
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
    }).pipe(inWorld()),
  )

  it.effect(
    "what is wrong with the media is a line of the log, and what is wrong with us all that is known",
    () =>
      Effect.gen(function* () {
        const lines: Array<{ readonly text: string; readonly hasCause: boolean }> = []
        const logger = Logger.make(({ message, cause }) => {
          lines.push({ text: String(message), hasCause: !Cause.isEmpty(cause) })
        })
        const worked = withWorker(settle).pipe(
          Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
          Logger.withMinimumLogLevel(LogLevel.Warning),
        )
        const account = yield* newAccount()
        yield* create(account, { url: `${talk}&silent` })
        yield* worked
        const [line] = lines.splice(0)
        assert.match(line?.text ?? "", /^A job failed \(no_speech\): No speech was found/)
        assert.isFalse(line?.hasCause)
        yield* create(account, { url: talk })
        yield* worked
        assert.isTrue(lines.some(({ text, hasCause }) => text === "An attempt at a job failed" && hasCause))
      }).pipe(inWorld({ engine: { crash: 1 } })),
  )
})

describe("credits that run out", () => {
  it.effect("a job whose length was unknown waits for credits, and a top-up wakes it", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ credits: 2 })
      const desk = yield* CreditDesk
      const { id } = yield* create(account, { url: "https://a.example/x.mp3?seconds=300&unknown" })
      assert.deepStrictEqual(yield* balance(account), { posted: 2, held: 1 })
      yield* withWorker(
        Effect.gen(function* () {
          yield* settle
          assert.strictEqual((yield* get(account, id)).phase, "waiting_for_credits")
          yield* desk.grant(account, { credits: 10, reference: "r", asPurchase: false })
          yield* pass("1 second")
        }),
      )
      const job = yield* get(account, id)
      assert.strictEqual(job.billedMinutes, 5)
      assert.deepStrictEqual(yield* balance(account), { posted: 7, held: 0 })
    }).pipe(inWorld()),
  )

  /** Credits come in the very moment between the refusal of a hold and the parking of its job. */
  const topUpBeforeParking = Layer.map(StoreMemory.layer, (stores) => {
    const queue = Context.get(stores, JobQueue)
    const ledger = Context.get(stores, Ledger)
    let account: AccountId | null = null
    return Context.add(stores, JobQueue, {
      ...queue,
      claim: (options) =>
        Effect.tap(queue.claim(options), ([claimed]) =>
          Effect.sync(() => {
            account = claimed?.job.account ?? account
          }),
        ),
      park: (lease, facts) =>
        Effect.gen(function* () {
          if (account === null) return yield* Effect.dieMessage("nothing was claimed")
          yield* Effect.orDie(ledger.adjust(account, 10, "top-up"))
          assert.strictEqual(yield* queue.wakeAccount(account), 0)
          yield* queue.park(lease, facts)
        }),
    })
  })

  it.effect("a top-up between the refusal and the parking wakes the job as well", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ credits: 2 })
      const { id } = yield* create(account, { url: "https://a.example/x.mp3?seconds=300&unknown" })
      yield* withWorker(pass("1 second"))
      assert.strictEqual((yield* get(account, id)).status, "done")
      assert.deepStrictEqual(yield* balance(account), { posted: 7, held: 0 })
    }).pipe(inWorld({ store: topUpBeforeParking })),
  )

  it.effect("after three days of waiting it fails", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ credits: 2 })
      const { id } = yield* create(account, { url: "https://a.example/x.mp3?seconds=300&unknown" })
      yield* withWorker(settle)
      yield* pass("73 hours")
      yield* withUpkeep(settle)
      assert.strictEqual((yield* get(account, id)).failure?.code, "insufficient_credits")
      assert.deepStrictEqual(yield* balance(account), { posted: 2, held: 0 })
    }).pipe(inWorld({ worker: { lease: Duration.hours(30) } })),
  )
})

describe("a worker that loses its work", () => {
  const slow = { engine: { delay: [10_000, 10_000], capabilities: { concurrency: 1 } } } as const

  it.effect("a canceled job is stopped at once in the same process", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const transcriptions = yield* Transcriptions
      const queue = yield* JobQueue
      const { id } = yield* create(account, { url: talk, language: "en" })
      yield* withWorker(
        Effect.gen(function* () {
          yield* pass("11 seconds")
          assert.strictEqual((yield* queue.spans(JobId.make(id), -1)).length, 1)
          const canceled = yield* transcriptions.cancel(account, id)
          assert.strictEqual(canceled.failure?.code, "canceled")
          yield* pass("1 minute")
        }),
      )
      assert.strictEqual((yield* get(account, id)).failure?.code, "canceled")
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
    }).pipe(inWorld(slow)),
  )

  it.effect("canceled elsewhere, it learns so at its next beat and writes nothing more", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const jobs = yield* JobStore
      const { id } = yield* create(account, { url: talk })
      yield* withWorker(
        Effect.gen(function* () {
          yield* pass("5 seconds")
          yield* jobs.cancel(account, id)
          yield* pass("2 minutes")
        }),
      )
      const job = yield* stored(account, id)
      assert.strictEqual(job.state.status, "failed")
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
    }).pipe(inWorld(slow)),
  )

  it.effect(
    "a job that is not wanted any more frees its slot at the next beat, however long its window is",
    () =>
      Effect.gen(function* () {
        const account = yield* newAccount()
        const jobs = yield* JobStore
        const { id } = yield* create(account, { url: talk })
        yield* withWorker(
          Effect.gen(function* () {
            yield* pass("5 seconds")
            yield* jobs.cancel(account, id)
            const next = yield* create(account, { url: "https://a.example/next.mp3?seconds=20" })
            yield* pass("5 seconds")
            assert.strictEqual((yield* stored(account, next.id)).attempts, 0)
            yield* pass("8 seconds")
            assert.strictEqual((yield* stored(account, next.id)).attempts, 1)
          }),
        )
      }).pipe(inWorld({ engine: { delay: [900_000, 900_000] }, worker: { slots: 1 } })),
  )

  it.effect("a worker that stops hands its job back at the next checkpoint; the attempt does not count", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const queue = yield* JobQueue
      const worker = yield* Worker
      const { id } = yield* create(account, { url: talk, language: "en" })
      const fiber = yield* Effect.fork(worker.run)
      yield* settle
      yield* pass("15 seconds")
      yield* Fiber.interruptFork(fiber)
      yield* pass("10 seconds")
      assert.isTrue((yield* Fiber.poll(fiber))._tag === "Some")
      const job = yield* stored(account, id)
      assert.deepInclude(job, { attempts: 0 })
      assert.strictEqual(job.state.status === "queued" && job.state.phase, "waiting")
      assert.strictEqual((yield* queue.stats).ready, 1)
      assert.isAtLeast((yield* queue.spans(JobId.make(id), -1)).length, 1)
      yield* withWorker(pass("1 minute"))
      assert.strictEqual((yield* get(account, id)).status, "done")
    }).pipe(inWorld(slow)),
  )

  it.effect("what does not come to its checkpoint within the grace is interrupted and handed back", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const worker = yield* Worker
      const { id } = yield* create(account, { url: talk })
      const fiber = yield* Effect.fork(worker.run)
      yield* settle
      yield* pass("5 seconds")
      yield* stop(fiber)
      assert.deepInclude(yield* stored(account, id), { attempts: 0 })
    }).pipe(inWorld({ engine: { delay: [500_000, 500_000] } })),
  )

  it.effect("a stop never fails a job, whatever it does to the engine", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const worker = yield* Worker
      const { id } = yield* create(account, { url: talk })
      const fiber = yield* Effect.fork(worker.run)
      yield* settle
      yield* pass("1 second")
      yield* Fiber.interruptFork(fiber)
      yield* pass("5 seconds")
      assert.isTrue((yield* Fiber.poll(fiber))._tag === "Some")
      const job = yield* stored(account, id)
      assert.deepInclude(job, { attempts: 0 })
      assert.strictEqual(job.state.status === "queued" && job.state.phase, "waiting")
    }).pipe(inWorld({ engine: { delay: [1500, 1500], fail: 1 } })),
  )

  it.effect("two workers share the jobs and do none of them twice", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const worker = yield* Worker
      const ids = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, n) => n),
        (n) => Effect.map(create(account, { url: `https://a.example/${n}.mp3?seconds=60` }), ({ id }) => id),
      )
      const other = yield* Effect.fork(worker.run)
      yield* withWorker(pass("1 second"))
      yield* stop(other)
      for (const id of ids) assert.strictEqual((yield* stored(account, id)).attempts, 1)
      assert.deepStrictEqual(yield* balance(account), { posted: 48, held: 0 })
    }).pipe(inWorld()),
  )

  it.effect("a job that crashes every worker fails after three attempts", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id } = yield* create(account, { url: talk })
      yield* withWorker(pass("20 minutes"))
      const job = yield* get(account, id)
      assert.deepInclude(job.failure, { code: "internal_error", attempts: 3 })
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
    }).pipe(inWorld({ engine: { crash: 1 }, worker: { pollEvery: Duration.seconds(20) } })),
  )

  it.effect("an engine that fails now and then costs attempts, not words", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id } = yield* create(account, { url: "https://a.example/x.mp3?seconds=200" })
      yield* withWorker(pass("20 minutes"))
      const job = yield* get(account, id)
      assert.strictEqual(job.status, "done")
      assert.strictEqual(job.integrity?.coverage, 1)
    }).pipe(inWorld({ engine: { fail: 0.2 }, worker: { pollEvery: Duration.seconds(20) } })),
  )
})
