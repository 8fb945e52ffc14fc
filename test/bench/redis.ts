/** The queue through Redis beside the queue of the database alone, on the same database in the same run. */
import type { AccountId } from "@earmark/core/jobs"
import { QueueRedis } from "@earmark/redis"
import { JobQueue, JobStore } from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { Effect, Fiber, Layer, ManagedRuntime, Queue, Redacted, Stream } from "effect"
import { type RedisServer, startRedis } from "../servers/redisServer.js"
import { newAccount, newJob, quantile, type Stores, startStores } from "./database/measure.js"
import { main, type Outcome, sized } from "./harness.js"

const ROUNDS = sized(3, 1)
const JOBS = sized(20, 2)

/** How often a store was asked for work. */
const newTally = () => {
  const tally = { asked: 0 }
  const counted = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.zipRight(
      Effect.sync(() => tally.asked++),
      effect,
    )
  const layer = Layer.effect(
    JobQueue,
    Effect.map(JobQueue, (queue) => ({ ...queue, claim: (options) => counted(queue.claim(options)) })),
  )
  return { tally, layer }
}

/** Stores of one process of a fleet. */
const newMember = (url: string, redis: RedisServer | null) => {
  const stores = SqlStore.layerPostgres({ url: Redacted.make(url), migrate: "run", maxConnections: 10 })
  const { tally, layer } = newTally()
  const counted = Layer.provideMerge(layer, stores)
  const queue =
    redis === null
      ? counted
      : Layer.provideMerge(
          QueueRedis.layer({ url: Redacted.make(redis.url), patience: "10 seconds" }),
          counted,
        )
  return { tally, runtime: ManagedRuntime.make(queue) }
}

type Member = ReturnType<typeof newMember>

const take = (want: number) =>
  Effect.flatMap(JobQueue, (queue) => queue.claim({ worker: "w", want, cap: 100_000, leaseSeconds: 600 }))

/** A worker with one slot that only notes when a job starts. It waits as the worker of the service does: for a hint, or a second. */
const watcher = (started: Map<string, number>) =>
  Effect.gen(function* () {
    const queue = yield* JobQueue
    const hints = yield* Queue.sliding<void>(1)
    yield* Effect.forkScoped(Stream.runForEach(queue.wakeUps, () => Queue.offer(hints, undefined)))
    for (;;) {
      const claimed = yield* take(1)
      for (const { job } of claimed) started.set(job.id, performance.now())
      if (claimed.length === 0) yield* Effect.timeoutOption(Queue.take(hints), "1 second")
    }
  }).pipe(Effect.scoped)

/** A worker with one slot, which has been busy for that share of a job. */
const busyWorker = (started: Map<string, number>, hints: Queue.Dequeue<void>, share: number) =>
  Effect.gen(function* () {
    if (share < SHARE_BUSY) yield* Effect.sleep(`${(share / SHARE_BUSY) * JOB_SECONDS} seconds`)
    for (;;) {
      const claimed = yield* take(1)
      for (const { job } of claimed) started.set(job.id, performance.now())
      yield* claimed.length === 0
        ? Effect.timeoutOption(Queue.take(hints), "1 second")
        : Effect.sleep(`${JOB_SECONDS} seconds`)
    }
  })

/** Workers of one process, which hears hints for all of them. */
const busyWorkers = (started: Map<string, number>, shares: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const { wakeUps } = yield* JobQueue
    const each = yield* Effect.forEach(shares, () => Queue.sliding<void>(1))
    yield* Effect.forkScoped(
      Stream.runForEach(wakeUps, () =>
        Effect.sync(() => {
          for (const hints of each) hints.unsafeOffer(undefined)
        }),
      ),
    )
    const workers = shares.flatMap((share, at) => {
      const hints = each[at]
      return hints === undefined ? [] : [busyWorker(started, hints, share)]
    })
    yield* Effect.all(workers, { concurrency: "unbounded", discard: true })
  }).pipe(Effect.scoped)

/** From the end of the call that made the job to the start of the work in another process, for jobs one after the other. */
const waits = (account: AccountId, started: Map<string, number>) =>
  Effect.gen(function* () {
    const jobs = yield* JobStore
    const times: Array<number> = []
    for (let made = 0; made < JOBS; made++) {
      const job = newJob(account)
      yield* jobs.create(job, { guard: null, maxWaiting: null })
      const created = performance.now()
      while (!started.has(job.id)) yield* Effect.sleep("1 millis")
      times.push(Math.max(0, (started.get(job.id) ?? 0) - created))
      yield* Effect.sleep("40 millis")
    }
    return times
  })

const startTimes = async (maker: Stores, member: Member, account: AccountId) => {
  const started = new Map<string, number>()
  const watching = member.runtime.runFork(watcher(started))
  await maker.runPromise(Effect.sleep("300 millis"))
  const times = await maker.runPromise(waits(account, started))
  await maker.runPromise(Fiber.interrupt(watching))
  return times
}

/** Jobs per second that many workers start, each taking one after the other. */
const starts = async (maker: Stores, member: Member, account: AccountId) => {
  const count = sized(600, 20)
  await maker.runPromise(
    Effect.flatMap(JobStore, (jobs) =>
      Effect.forEach(
        Array.from({ length: count }),
        () => jobs.create(newJob(account), { guard: null, maxWaiting: null }),
        {
          concurrency: 10,
          discard: true,
        },
      ),
    ),
  )
  let left = count
  const worker = Effect.gen(function* () {
    while (left > 0) {
      const { length } = yield* take(1)
      left -= length
    }
  })
  const began = performance.now()
  await member.runtime.runPromise(
    Effect.all(
      Array.from({ length: 50 }, () => worker),
      { concurrency: "unbounded", discard: true },
    ),
  )
  return (count * 1000) / (performance.now() - began)
}

/** An episode of a quarter of an hour keeps one core so long, in seconds. */
const JOB_SECONDS = sized(60, 3)
/** How many of all workers have a job at a time. */
const SHARE_BUSY = 0.9
const WATCHED_SECONDS = sized(15, 1)
/** One question in 20 ms that finds nothing, and one for each job. */
const MOST_QUESTIONS = 50 + 15

/** What a fleet of so many workers asks, and how long jobs wait, while they come as fast as nine of ten workers can take them. */
const fleet = async (workers: number, makeMember: () => Member, maker: Stores, account: AccountId) => {
  const members = Array.from({ length: 4 }, makeMember)
  const started = new Map<string, number>()
  const fibers = members.map(({ runtime }, member) => {
    const shares = Array.from({ length: workers }, (_, worker) => worker / workers)
    return runtime.runFork(
      busyWorkers(
        started,
        shares.filter((_, worker) => worker % members.length === member),
      ),
    )
  })
  await maker.runPromise(Effect.sleep("3 seconds"))
  const asked = () => members.reduce((sum, { tally }) => sum + tally.asked, 0)
  const [before, from] = [asked(), performance.now()]
  const perSecond = (workers / JOB_SECONDS) * SHARE_BUSY
  const made: Array<{ readonly id: string; readonly at: number }> = []
  for (let number = 0; number < Math.max(2, perSecond * WATCHED_SECONDS); number++) {
    const job = newJob(account)
    await maker.runPromise(
      Effect.flatMap(JobStore, (jobs) => jobs.create(job, { guard: null, maxWaiting: null })),
    )
    made.push({ id: job.id, at: performance.now() })
    const next = from + ((number + 1) * 1000) / perSecond
    await maker.runPromise(Effect.sleep(Math.max(0, next - performance.now())))
  }
  await maker.runPromise(Effect.sleep("1 second"))
  const questions = ((asked() - before) * 1000) / (performance.now() - from)
  const times = made.map(({ id, at }) => Math.max(0, (started.get(id) ?? Number.POSITIVE_INFINITY) - at))
  times.sort((left, right) => left - right)
  await Promise.all(fibers.map((fiber) => maker.runPromise(Fiber.interrupt(fiber))))
  await Promise.all(members.map(({ runtime }) => runtime.dispose()))
  return { questions, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

const outcome = (
  bench: string,
  [ours, rival]: readonly [number, number],
  bar: string,
  pass: boolean,
): Outcome => ({ bench, ours, rival, rivalName: "the database alone", ratio: ours / rival, bar, pass })

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const { stores, url, client, stop } = await startStores()
  const redis = await startRedis()
  const account = await newAccount(stores)
  const [ours, theirs] = [newMember(url, redis), newMember(url, null)]
  const empty = () => client.query("TRUNCATE queue, job, publication, transcript_edit, transcript_extra")
  try {
    const waited = { ours: [] as number[], theirs: [] as number[] }
    const rates = { ours: 0, theirs: 0 }
    await ours.runtime.runPromise(take(1))
    await stores.runPromise(Effect.sleep("2 seconds"))
    for (let round = 0; round < ROUNDS; round++) {
      waited.ours.push(...(await startTimes(stores, ours, account)))
      waited.theirs.push(...(await startTimes(stores, theirs, account)))
      await empty()
      rates.ours = Math.max(rates.ours, await starts(stores, ours, account))
      rates.theirs = Math.max(rates.theirs, await starts(stores, theirs, account))
      await empty()
    }
    const [mine, other] = [waited.ours, waited.theirs].map((times) =>
      quantile(
        times.sort((left, right) => left - right),
        0.5,
      ),
    )
    const fleets: Array<Outcome> = []
    for (const workers of [10, 100, 1_000].slice(0, sized(3, 1))) {
      await empty()
      const together = await fleet(workers, () => newMember(url, redis), stores, account)
      await empty()
      const alone = await fleet(workers, () => newMember(url, null), stores, account)
      const named = (what: string) => `${workers} workers: ${what}`
      fleets.push(
        outcome(
          named("questions to the database per second"),
          [together.questions, alone.questions],
          `<= ${MOST_QUESTIONS}`,
          together.questions <= MOST_QUESTIONS,
        ),
        outcome(named("wait of a job, p50 ms"), [together.p50, alone.p50], "< 100", together.p50 < 100),
        outcome(named("wait of a job, p99 ms"), [together.p99, alone.p99], "< 500", together.p99 < 500),
      )
    }
    return [
      outcome("enqueue to start, p50 ms", [mine ?? 0, other ?? 0], "< 20", (mine ?? 0) < 20),
      outcome(
        "jobs started per second by 50 workers",
        [rates.ours, rates.theirs],
        ">= 100",
        rates.ours >= 100,
      ),
      ...fleets,
    ]
  } finally {
    await ours.runtime.dispose()
    await theirs.runtime.dispose()
    await redis.stop()
    await stop()
  }
}

await main({ run })
