/** What may happen to the jobs of an account, one step at a time. */
import type { AccountId, EndpointId, JobId } from "@earmark/core/jobs"
import { JobQueue, JobStore, type Lease, Ledger, type NewJob, type StoredJob } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { seededRandom } from "../random.js"
import {
  addEndpoint,
  advance,
  finishedWith,
  newAccount,
  newBatch,
  newGuard,
  newJob,
  unique,
} from "./makers.js"
import { getJob, succeeds, takeUp } from "./working.js"

export const STEPS = 60
export const FREE_CREDITS = 12
const LEASE_SECONDS = 1000
/** A lease outlives one step of the clock and not two, however slow the store is. */
const STEP_SECONDS = 600
const MOST_ATTEMPTS = 3

interface Held {
  readonly lease: Lease
  until: number
}

/** What must be true of a job, whatever the store says. */
interface Known {
  readonly id: JobId
  run: number
  status: "queued" | "done" | "failed"
  /** The one lease that is good. */
  held: Held | null
  /** What the job was when it ended. */
  end: StoredJob | null
}

/** A random life of one account, and a model of what must have come of it. */
export interface Life {
  readonly account: AccountId
  readonly endpoint: EndpointId
  readonly random: () => number
  readonly jobs: Map<JobId, Known>
  /** All leases ever given: workers that wake up late use old ones. */
  readonly leases: Array<Lease>
  readonly payments: Array<string>
  readonly events: Array<string>
  credits: number
  clock: number
}

export const begin = (seed: number) =>
  Effect.gen(function* () {
    const account = yield* newAccount(FREE_CREDITS)
    const endpoint = yield* addEndpoint(account)
    const life: Life = {
      account,
      endpoint: endpoint.id,
      random: seededRandom(seed),
      jobs: new Map(),
      leases: [],
      payments: [],
      events: [],
      credits: FREE_CREDITS,
      clock: 0,
    }
    return life
  })

const below = (life: Life, limit: number): number => Math.floor(life.random() * limit)

export const pick = <Item>(life: Life, items: ReadonlyArray<Item>): Item | undefined =>
  items[below(life, items.length)]

const isGood = (life: Life, lease: Lease): boolean => {
  const held = life.jobs.get(lease.job)?.held
  return held?.lease.token === lease.token && held.until > life.clock
}

const know = (life: Life, job: Pick<NewJob, "id">): void => {
  life.jobs.set(job.id, { id: job.id, run: 0, status: "queued", held: null, end: null })
}

export const ended = (life: Life, known: Known, status: "done" | "failed") =>
  Effect.gen(function* () {
    known.status = status
    known.held = null
    known.end = yield* getJob(life.account, known.id)
    const retried = known.run === 0 ? "failed" : `failed.${known.run + 1}`
    life.events.push(`${known.id}.${status === "done" ? "done" : retried}`)
  })

/** Does something twice at once: as often as it may happen, it happens. */
const twice = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.all([effect, effect], { concurrency: "unbounded" })

export const create = (life: Life) =>
  Effect.gen(function* () {
    const store = yield* JobStore
    const guard = yield* newGuard()
    const job = yield* newJob(life.account, { hold: below(life, 6) })
    const create = store.create(job, { guard, maxWaiting: null })
    const results = yield* twice(Effect.either(create))
    if (results.some((result) => result._tag === "Right")) know(life, job)
  })

const createBatch = (life: Life) =>
  Effect.gen(function* () {
    const store = yield* JobStore
    const batch = yield* newBatch(life.account, [below(life, 4), 1 + below(life, 4), 1 + below(life, 4)])
    if (yield* succeeds(store.createBatch(batch))) for (const job of batch.jobs) know(life, job)
  })

const work = (life: Life) =>
  Effect.gen(function* () {
    const cap = 1 + below(life, 4)
    const claimed = yield* takeUp([life.account], {
      want: 1 + below(life, 3),
      cap,
      leaseSeconds: LEASE_SECONDS,
    })
    for (const { lease, job } of claimed) {
      const known = life.jobs.get(job.id)
      if (known === undefined) return assert.fail("a job that was never made was claimed")
      assert.strictEqual(known.status, "queued")
      assert.isNull(known.held, "a job was handed out twice")
      assert.isAtMost(lease.attempt, MOST_ATTEMPTS)
      known.held = { lease, until: life.clock + LEASE_SECONDS }
      life.leases.push(lease)
    }
    const running = [...life.jobs.values()].filter(({ held }) => held !== null).length
    if (claimed.length > 0) assert.isAtMost(running, cap, "more than the cap run at once")
  })

/** Writes with any lease ever given: it works exactly when the lease is good. */
const write = <A>(
  life: Life,
  act: (lease: Lease) => Effect.Effect<A, { readonly _tag: string }, JobQueue>,
  after: (known: Known, result: A) => Effect.Effect<unknown, { readonly _tag: string }, JobStore>,
) =>
  Effect.gen(function* () {
    const lease = pick(life, life.leases)
    const known = lease === undefined ? undefined : life.jobs.get(lease.job)
    if (lease === undefined || known === undefined) return
    const result = yield* Effect.either(act(lease))
    if (result._tag === "Right") {
      assert.isTrue(isGood(life, lease), "a lease that is lost was good for a write")
      yield* after(known, result.right)
    } else if (result.left._tag !== "OutOfCredits") {
      assert.strictEqual(result.left._tag, "LeaseLost")
      assert.isFalse(isGood(life, lease), "a good lease was refused")
    }
  })

const givenBack = (known: Known) =>
  Effect.sync(() => {
    known.held = null
  })

const complete = (life: Life) =>
  Effect.gen(function* () {
    const queue = yield* JobQueue
    const ledger = yield* Ledger
    const lease = pick(life, life.leases)
    const known = lease === undefined ? undefined : life.jobs.get(lease.job)
    if (lease === undefined || known === undefined) return
    const before = yield* ledger.balance(life.account)
    yield* queue
      .raiseHold(lease, { credits: 3, durationSeconds: 180 })
      .pipe(Effect.catchTags({ LeaseLost: () => Effect.void, OutOfCredits: () => Effect.void }))
    const credits = (yield* ledger.balance(life.account)).held > before.held ? 3 : 0
    const done = queue.complete(lease, finishedWith({ credits, billedMinutes: credits }), {
      cacheKeys: [],
      shared: false,
    })
    const results = yield* twice(succeeds(done))
    assert.strictEqual(results.filter((isDone) => isDone).length, isGood(life, lease) ? 1 : 0)
    if (!results.includes(true)) return
    life.credits -= credits
    yield* ended(life, known, "done")
  })

const fail = (life: Life) => {
  const retryInSeconds = life.random() < 0.7 ? 0 : null
  return write(
    life,
    (lease) =>
      Effect.flatMap(JobQueue, (queue) => queue.fail(lease, { code: "engine_error", retryInSeconds })),
    (known, outcome) => {
      const isSpent = known.held?.lease.attempt === MOST_ATTEMPTS
      assert.strictEqual(outcome, retryInSeconds === null || isSpent ? "failed" : "again")
      return outcome === "failed" ? ended(life, known, "failed") : givenBack(known)
    },
  )
}

const release = (life: Life) =>
  write(life, (lease) => Effect.flatMap(JobQueue, (queue) => queue.release(lease)), givenBack)

const park = (life: Life) => {
  const facts = { credits: 1 + below(life, 12), durationSeconds: 60 }
  return write(life, (lease) => Effect.flatMap(JobQueue, (queue) => queue.park(lease, facts)), givenBack)
}

const report = (life: Life) => {
  const seen = { phase: "transcribing", progress: life.random() } as const
  return write(
    life,
    (lease) => Effect.flatMap(JobQueue, (queue) => queue.report(lease, seen)),
    () => Effect.void,
  )
}

const beat = (life: Life) =>
  Effect.gen(function* () {
    const queue = yield* JobQueue
    const lost = yield* queue.extend(life.leases, LEASE_SECONDS)
    const tokens = new Set(lost.map(({ token }) => token))
    for (const lease of life.leases) assert.strictEqual(!tokens.has(lease.token), isGood(life, lease))
    for (const { held } of life.jobs.values()) {
      if (held !== null && held.until > life.clock) held.until = life.clock + LEASE_SECONDS
    }
  })

const cancel = (life: Life) =>
  Effect.gen(function* () {
    const store = yield* JobStore
    const known = pick(life, [...life.jobs.values()])
    if (known === undefined) return
    const results = yield* twice(succeeds(store.cancel(life.account, known.id)))
    assert.strictEqual(results.filter((isDone) => isDone).length, known.status === "queued" ? 1 : 0)
    if (known.status === "queued") yield* ended(life, known, "failed")
  })

const retry = (life: Life) =>
  Effect.gen(function* () {
    const store = yield* JobStore
    const known = pick(life, [...life.jobs.values()])
    if (known === undefined) return
    const isRetried = yield* succeeds(store.retry(life.account, known.id, below(life, 10)))
    if (!isRetried) {
      if (known.end !== null) assert.deepStrictEqual(yield* getJob(life.account, known.id), known.end)
      return
    }
    assert.strictEqual(known.status, "failed")
    Object.assign(known, { status: "queued", end: null, run: known.run + 1 })
  })

const pay = (life: Life) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const queue = yield* JobQueue
    const old = pick(life, life.payments)
    const payment = old !== undefined && life.random() < 0.5 ? old : yield* unique
    const topUp = { amount: 4, provider: "p", payment, kind: "purchase" } as const
    yield* twice(ledger.topUp(life.account, topUp))
    if (payment !== old) {
      life.payments.push(payment)
      life.credits += 4
    }
    yield* queue.wakeAccount(life.account)
  })

const pass = (life: Life) =>
  Effect.gen(function* () {
    const queue = yield* JobQueue
    yield* advance(STEP_SECONDS)
    life.clock += STEP_SECONDS
    yield* twice(queue.reapExpired(1000))
    for (const known of life.jobs.values()) {
      if (known.held === null || known.held.until > life.clock) continue
      const isSpent = known.held.lease.attempt === MOST_ATTEMPTS
      known.held = null
      if (isSpent) yield* ended(life, known, "failed")
    }
  })

export const steps = [
  create,
  create,
  createBatch,
  work,
  work,
  work,
  complete,
  complete,
  fail,
  release,
  park,
  report,
  beat,
  cancel,
  retry,
  pay,
  pass,
] as const
