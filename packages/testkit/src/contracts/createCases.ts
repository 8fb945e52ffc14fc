import { JobQueue, JobStore, Ledger } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect, Either } from "effect"
import { promise, type StoreCase } from "./Case.js"
import {
  addEndpoint,
  advance,
  createDone,
  createJob,
  finishedWith,
  newAccount,
  newBatch,
  newGuard,
  newJob,
  now,
} from "./makers.js"
import {
  balanceOf,
  booksAreRight,
  eventsTo,
  getJob,
  linesOf,
  racing,
  refusal,
  takeOne,
  takeUp,
} from "./working.js"

const open = { guard: null, maxWaiting: null } as const

export const createCases: ReadonlyArray<StoreCase> = [
  promise(
    "a job made with a test key stays one, in every run and for every worker",
    Effect.gen(function* () {
      const store = yield* JobStore
      const queue = yield* JobQueue
      const account = yield* newAccount(0)
      const test = { isTest: true, hold: 0 } as const
      const job = yield* createJob(account, test)
      assert.isTrue((yield* store.get(account, job.id)).isTest)
      const first = yield* takeOne(account)
      assert.isTrue(first.job.isTest)
      yield* queue.fail(first.lease, { code: "engine_error", retryInSeconds: null })
      assert.isTrue((yield* store.retry(account, job.id, 0)).isTest)
      yield* store.cancel(account, job.id)
      const batch = yield* newBatch(account, [0, 0])
      yield* store.createBatch({ ...batch, jobs: batch.jobs.map((each) => ({ ...each, ...test })) })
      const claimed = yield* takeUp([account])
      assert.deepStrictEqual(
        claimed.map(({ job: { isTest } }) => isTest),
        [true, true],
      )
      const done = yield* createDone(account, test)
      assert.isTrue((yield* store.get(account, done.id)).isTest)
      const live = yield* createJob(yield* newAccount())
      assert.isFalse((yield* store.get(live.account, live.id)).isTest)
    }),
  ),
  promise(
    "a created job is queued, holds its credits, and can be claimed",
    Effect.gen(function* () {
      const account = yield* newAccount(60)
      const job = yield* createJob(account, { hold: 7, title: "A talk", metadata: { episode: "12" } })
      const stored = yield* getJob(account, job.id)
      const { hold: _, ...kept } = job
      assert.deepInclude(stored, { ...kept, origin: null, batch: null, attempts: 0, billedMinutes: null })
      assert.deepInclude(stored.state, { status: "queued", phase: "waiting", progress: 0, run: 0 })
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 60, held: 7, floor: 0 })
      assert.strictEqual((yield* takeOne(account)).job.id, job.id)
    }),
  ),
  promise(
    "a job whose hold does not fit leaves nothing behind, not even its key",
    Effect.gen(function* () {
      const store = yield* JobStore
      const ledger = yield* Ledger
      const account = yield* newAccount(5)
      const guard = yield* newGuard()
      const job = yield* newJob(account, { hold: 6 })
      const refused = yield* Effect.flip(store.create(job, { guard, maxWaiting: null }))
      assert.deepInclude(refused, { _tag: "OutOfCredits", balance: 5, available: 5, needed: 6 })
      assert.strictEqual(yield* refusal(store.get(account, job.id)), "JobNotFound")
      assert.deepStrictEqual(yield* takeUp([account]), [])
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 5, held: 0, floor: 0 })
      yield* ledger.adjust(account, 1, "one more")
      assert.deepStrictEqual(yield* store.create(job, { guard, maxWaiting: null }), { type: "done" })
    }),
  ),
  promise(
    "no more jobs than allowed wait at once, and a refused one leaves nothing behind",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(5)
      yield* createJob(account)
      yield* createJob(account)
      const guard = yield* newGuard()
      const job = yield* newJob(account)
      const refused = yield* Effect.flip(store.create(job, { guard, maxWaiting: 2 }))
      assert.deepInclude(refused, { _tag: "TooManyJobs", limit: 2 })
      assert.strictEqual(yield* refusal(store.get(account, job.id)), "JobNotFound")
      assert.strictEqual((yield* balanceOf(account)).held, 2)
      assert.deepStrictEqual(yield* store.create(job, { guard, maxWaiting: 3 }), { type: "done" })
    }),
  ),
  promise(
    "a repeated key is answered with the first answer and makes no second job",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      const guard = yield* newGuard()
      const [first, second] = [yield* newJob(account), yield* newJob(account)]
      assert.deepStrictEqual(yield* store.create(first, { guard, maxWaiting: null }), { type: "done" })
      const again = { ...guard, answer: "another answer" }
      const replayed = yield* store.create(second, { guard: again, maxWaiting: 0 })
      assert.deepStrictEqual(replayed, { type: "replayed", answer: guard.answer })
      assert.strictEqual(yield* refusal(store.get(account, second.id)), "JobNotFound")
      assert.strictEqual((yield* balanceOf(account)).held, 1)
    }),
  ),
  promise(
    "a key that comes with another request is refused",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      const guard = yield* newGuard()
      const other = { guard: { ...guard, fingerprint: "f2" }, maxWaiting: null }
      yield* store.create(yield* newJob(account), { guard, maxWaiting: null })
      const job = yield* newJob(account)
      assert.strictEqual(yield* refusal(store.create(job, other)), "IdempotencyKeyReused")
      assert.strictEqual(yield* refusal(store.createDone(job, finishedWith(), other)), "IdempotencyKeyReused")
      assert.strictEqual(yield* refusal(store.get(account, job.id)), "JobNotFound")
    }),
  ),
  promise(
    "the same key of another account is another key",
    Effect.gen(function* () {
      const store = yield* JobStore
      const guard = yield* newGuard()
      for (const account of [yield* newAccount(), yield* newAccount()]) {
        const made = yield* store.create(yield* newJob(account), { guard, maxWaiting: null })
        assert.deepStrictEqual(made, { type: "done" })
      }
    }),
  ),
  promise(
    "a key is free again after its time",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      const guard = yield* newGuard({ expiresAt: (yield* now) + 5000 })
      yield* store.create(yield* newJob(account), { guard, maxWaiting: null })
      yield* advance(4)
      const early = yield* store.create(yield* newJob(account), { guard, maxWaiting: null })
      assert.strictEqual(early.type, "replayed")
      yield* advance(1)
      const renewed = { ...guard, fingerprint: "f2", expiresAt: (yield* now) + 5000 }
      const late = yield* store.create(yield* newJob(account), { guard: renewed, maxWaiting: null })
      assert.strictEqual(late.type, "done")
    }),
  ),
  promise(
    "of 100 racing creates with one key one makes a job, and every answer is its answer",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      const guard = yield* newGuard()
      const create = (index: number) =>
        Effect.gen(function* () {
          const job = yield* newJob(account)
          const answer = `${job.id} ${index}`
          const made = yield* store
            .create(job, { guard: { ...guard, answer }, maxWaiting: null })
            // A store may turn a waiting repeat away; coming again it is answered.
            .pipe(Effect.retry({ while: (error) => error._tag === "IdempotencyInProgress", times: 1000 }))
          return made.type === "done" ? { winner: true, answer } : { winner: false, answer: made.answer }
        })
      const answers = yield* racing(100, create)
      assert.strictEqual(answers.filter(({ winner }) => winner).length, 1)
      assert.strictEqual(new Set(answers.map(({ answer }) => answer)).size, 1)
      const { items } = yield* store.list(account, { order: "desc", limit: 100, after: null })
      assert.deepStrictEqual(
        items.map(({ id }) => answers[0]?.answer.startsWith(id)),
        [true],
      )
      assert.strictEqual((yield* balanceOf(account)).held, 1)
    }),
  ),
  promise(
    "100 racing holds never go below the floor",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(25)
      const create = () =>
        Effect.gen(function* () {
          const job = yield* newJob(account, { hold: 2 })
          return yield* Effect.either(store.create(job, open))
        })
      const results = yield* racing(100, create)
      assert.strictEqual(results.filter(Either.isRight).length, 12)
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 25, held: 24, floor: 0 })
      assert.strictEqual((yield* takeUp([account])).length, 12)
      yield* booksAreRight
    }),
  ),
  promise(
    "storing the same job again changes nothing",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      const job = yield* createJob(account, { title: "first" })
      assert.deepStrictEqual(yield* store.create({ ...job, title: "second" }, open), { type: "done" })
      assert.strictEqual((yield* getJob(account, job.id)).title, "first")
      assert.strictEqual((yield* balanceOf(account)).held, 1)
      assert.strictEqual((yield* takeUp([account])).length, 1)
    }),
  ),
  promise(
    "a job without a price holds nothing",
    Effect.gen(function* () {
      const account = yield* newAccount(0)
      const job = yield* createJob(account, { hold: 0 })
      assert.deepStrictEqual(yield* balanceOf(account), { posted: 0, held: 0, floor: 0 })
      assert.strictEqual((yield* takeOne(account)).job.id, job.id)
    }),
  ),
  promise(
    "a job that is done at once has content, event and deliveries, and touches no credits",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount(0)
      const both = yield* addEndpoint(account)
      const failures = yield* addEndpoint(account, { events: ["transcription.failed"] })
      const job = yield* newJob(account, { hold: 0 })
      const finished = finishedWith({ origin: "captions", engine: null, credits: 0, billedMinutes: 0 })
      const guard = yield* newGuard()
      assert.deepStrictEqual(yield* store.createDone(job, finished, { guard }), { type: "done" })
      const again = yield* store.createDone(yield* newJob(account), finished, { guard })
      assert.deepStrictEqual(again, { type: "replayed", answer: guard.answer })
      const stored = yield* getJob(account, job.id)
      assert.deepInclude(stored, { origin: "captions", billedMinutes: 0, wordCount: 3, language: "en" })
      assert.deepInclude(stored.state, { status: "done", progress: 1, run: 0 })
      assert.deepStrictEqual(yield* store.content(account, job.id), finished.content)
      assert.deepStrictEqual(yield* eventsTo(account, both.id), [`${job.id}.done`])
      assert.deepStrictEqual(yield* eventsTo(account, failures.id), [])
      assert.deepStrictEqual(yield* linesOf(account), [])
      assert.deepStrictEqual(yield* takeUp([account]), [])
    }),
  ),
]
