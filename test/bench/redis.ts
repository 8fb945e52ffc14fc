/** The queue through Redis beside the queue of the database alone, on the same database in the same run. */
import type { AccountId } from "@earmark/core/jobs"
import { QueueRedis } from "@earmark/redis"
import { JobOutbox, JobQueue, JobStore } from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { Effect, Fiber, Layer, ManagedRuntime, Queue, Redacted, Stream } from "effect"
import { type RedisServer, startRedis } from "../servers/redisServer.js"
import { newAccount, newJob, quantile, type Stores, startStores } from "./database/measure.js"
import { main, type Outcome } from "./harness.js"

const ROUNDS = 3
const JOBS = 20

/** How often a store was asked for work. */
const newTally = () => {
  const tally = { asked: 0 }
  const counted = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.zipRight(
      Effect.sync(() => tally.asked++),
      effect,
    )
  const layer = Layer.effectContext(
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const outbox = yield* JobOutbox
      return yield* Layer.build(
        Layer.merge(
          Layer.succeed(JobQueue, { ...queue, claim: (options) => counted(queue.claim(options)) }),
          Layer.succeed(JobOutbox, { ...outbox, dispatch: (options) => counted(outbox.dispatch(options)) }),
        ),
      )
    }).pipe(Effect.scoped),
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
  const count = 600
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

/** How often the store is asked in a second by a hundred workers that have nothing to do and look once a second. */
const idleQuestions = async (maker: Stores, member: Member) => {
  const before = member.tally.asked
  const look = Effect.zipRight(take(2), Effect.sleep("1 second"))
  const idle = member.runtime.runFork(
    Effect.all(
      Array.from({ length: 100 }, (_, index) => Effect.delay(Effect.forever(look), index * 10)),
      { concurrency: "unbounded" },
    ),
  )
  await maker.runPromise(Effect.sleep("5 seconds"))
  await maker.runPromise(Fiber.interrupt(idle))
  return (member.tally.asked - before) / 5
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
  const empty = () => client.query("TRUNCATE queue, job")
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
    const questions = [await idleQuestions(stores, ours), await idleQuestions(stores, theirs)] as const
    return [
      outcome("enqueue to start, p50 ms", [mine ?? 0, other ?? 0], "< 20", (mine ?? 0) < 20),
      outcome(
        "jobs started per second by 50 workers",
        [rates.ours, rates.theirs],
        ">= 100",
        rates.ours >= 100,
      ),
      outcome(
        "questions to the database per second of 100 idle workers",
        questions,
        "<= 0.6x",
        questions[0] <= 0.6 * questions[1],
      ),
    ]
  } finally {
    await ours.runtime.dispose()
    await theirs.runtime.dispose()
    await redis.stop()
    await stop()
  }
}

await main({ run })
