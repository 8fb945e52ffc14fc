import { JobId } from "@earmark/core/jobs"
import { type AudioWindow, Diarizer, Earmark, JobQueue, Worker, WorkFailed } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, Layer } from "effect"
import { create, get, inWorld, newAccount, pass, settle } from "../world.js"

const failure = new WorkFailed({ code: "engine_error", isTransient: false })
const talk = "https://a.example/talk.mp3?seconds=90"

/** A worker with another diarizer than the scripted one, over the stores of the test. */
const workerWith = (diarizer: Diarizer["Type"]) =>
  Effect.map(
    Layer.build(
      Layer.fresh(Earmark.loops).pipe(Layer.provide(Layer.succeed(Diarizer, Diarizer.of(diarizer)))),
    ),
    (context) => Context.get(context, Worker),
  )

const heardBy = (heard: Array<number>): Diarizer["Type"] => ({
  id: "counting",
  open: () =>
    Effect.succeed({
      hear: ({ index }: AudioWindow) => Effect.sync(() => void heard.push(index)),
      turns: Effect.succeed([{ start: 0, end: 90_000, speaker: "x" }]),
    }),
})

const broken = {
  "cannot be opened": { open: () => Effect.fail(failure) },
  "fails while it hears": {
    open: () => Effect.succeed({ hear: () => Effect.fail(failure), turns: Effect.succeed([]) }),
  },
  "dies while it hears": {
    open: () => Effect.succeed({ hear: () => Effect.dieMessage("gone"), turns: Effect.succeed([]) }),
  },
  "fails at the end": {
    open: () => Effect.succeed({ hear: () => Effect.void, turns: Effect.fail(failure) }),
  },
} satisfies Record<string, Omit<Diarizer["Type"], "id">>

describe("who speaks", () => {
  for (const [name, diarizer] of Object.entries<Omit<Diarizer["Type"], "id">>(broken)) {
    it.scoped(`a diarizer that ${name} costs the speakers, not the job`, () =>
      Effect.gen(function* () {
        const account = yield* newAccount({ paid: true })
        const worker = yield* workerWith({ id: "scripted", ...diarizer })
        const { id } = yield* create(account, { url: talk, diarize: true })
        const working = yield* Effect.fork(worker.run)
        yield* settle
        const job = yield* get(account, id)
        yield* Fiber.interruptFork(working)
        yield* pass("1 minute")
        if (job.status !== "done") return assert.fail(job.failure?.code ?? job.status)
        assert.deepStrictEqual(
          job.warnings.map(({ code }) => code),
          ["diarization_failed"],
        )
        assert.isTrue(job.segments.every(({ speaker }) => speaker === null))
        // It answers nobody who asks for speakers.
        const again = yield* create(account, { url: talk, diarize: true })
        assert.strictEqual((yield* get(account, again.id)).status, "queued")
      }).pipe(inWorld()),
    )
  }

  it.scoped("a result in which somebody else told the speakers apart is not taken for one's own", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true })
      const worker = yield* workerWith(heardBy([]))
      const working = yield* Effect.fork(worker.run)
      const ask = (diarize: boolean) => create(account, { url: `${talk}&${diarize}`, diarize })
      yield* Effect.all([ask(true), ask(false)])
      yield* settle
      yield* Fiber.interruptFork(working)
      yield* pass("1 minute")
      const statusOf = (diarize: boolean) =>
        Effect.flatMap(ask(diarize), ({ id }) => Effect.map(get(account, id), ({ status }) => status))
      assert.strictEqual(yield* statusOf(false), "done")
      assert.strictEqual(yield* statusOf(true), "queued")
    }).pipe(inWorld()),
  )

  it.scoped(
    "a worker that takes over hears every window for the speakers, also those with a checkpoint",
    () =>
      Effect.gen(function* () {
        const account = yield* newAccount({ paid: true })
        const heard: Array<number> = []
        const queue = yield* JobQueue
        const first = yield* workerWith(heardBy([]))
        const { id } = yield* create(account, { url: talk, diarize: true, language: "en" })
        const dying = yield* Effect.fork(first.run)
        yield* settle
        yield* pass("25 seconds")
        yield* Fiber.interruptFork(dying)
        yield* pass("1 minute")
        const kept = (yield* queue.spans(JobId.make(id), -1)).length
        assert.isTrue(kept > 0 && kept < 4, `${kept} checkpoints`)
        const second = yield* workerWith(heardBy(heard))
        const working = yield* Effect.fork(second.run)
        yield* pass("2 minutes")
        const job = yield* get(account, id)
        yield* Fiber.interruptFork(working)
        yield* pass("1 minute")
        assert.strictEqual(job.status === "done" && job.segments[0]?.speaker, "Speaker 1")
        assert.deepStrictEqual(heard, [0, 1, 2, 3])
      }).pipe(
        inWorld({
          engine: { delay: [10_000, 10_000], capabilities: { concurrency: 1 } },
          worker: { pollEvery: Duration.seconds(20) },
        }),
      ),
  )
})
