/** Claiming jobs on Postgres, and how long they wait for it. */
import { type AccountId, BatchId } from "@earmark/core/jobs"
import { type Finished, JobQueue, JobStore } from "@earmark/service"
import { Effect, Fiber, Stream } from "effect"
import type { Client } from "pg"
import { claim, claimTime, seed, WAITING } from "./database/claims.js"
import { newAccount, newId, newJob, quantile, type Stores, startStores } from "./database/measure.js"
import { absolute, main, type Outcome, sized } from "./harness.js"

const claims = async (stores: Stores, client: Client, accounts: number): Promise<Outcome> => {
  const p50 = await claimTime(stores, client, accounts)
  return absolute(`claim of 10 with ${accounts + 1} accounts, p50 ms`, p50, "< 5", p50 < 5)
}

const racing = async (stores: Stores, client: Client): Promise<ReadonlyArray<Outcome>> => {
  await seed(client, 200)
  const claimer = async () => {
    const got: Array<{ readonly id: string; readonly account: string }> = []
    for (let turn = 0; turn < 15; turn++) {
      for (const { job } of await claim(stores, 10, 4)) got.push({ id: job.id, account: job.account })
    }
    return got
  }
  const got = (await Promise.all(Array.from({ length: 8 }, claimer))).flat()
  const running = new Map<string, number>()
  for (const { account } of got) running.set(account, (running.get(account) ?? 0) + 1)
  const twice = got.length - new Set(got.map(({ id }) => id)).size
  const most = Math.max(...running.values())
  return [
    absolute("handed out twice by 8 racing claimers", twice, "0", twice === 0 && got.length === 804),
    absolute("most jobs of one account at once, cap 4", most, "<= 4", most <= 4),
  ]
}

const finished: Finished = {
  content: { language: "en", segments: [], text: "", summary: null, chapters: null, translation: null },
  origin: "engine",
  engine: "scripted",
  wordTiming: null,
  detectedLanguage: null,
  durationSeconds: 600,
  wordCount: 0,
  credits: 10,
  billedMinutes: 10,
  minutes: 10,
  enrichment: {},
  integrity: null,
  warnings: [],
}

const WORK = "40 millis"

/** Workers with so many slots, which take what there is and end it after a while. */
const workers = (slots: number, started: Map<string, number>) =>
  Effect.gen(function* () {
    const queue = yield* JobQueue
    const one = Effect.gen(function* () {
      const [claimed] = yield* queue.claim({ worker: "w", want: 1, cap: 1000, leaseSeconds: 60 })
      if (claimed === undefined) return yield* queue.wakeUps.pipe(Stream.take(1), Stream.runDrain)
      started.set(claimed.job.id, performance.now())
      yield* Effect.sleep(WORK)
      yield* queue.complete(claimed.lease, finished, { cacheKeys: [], shared: false })
    })
    yield* Effect.all(
      Array.from({ length: slots }, () => Effect.forever(one)),
      { concurrency: "unbounded" },
    )
  })

/** How long single jobs wait for their start, made one after the other. */
const waits = (account: AccountId, started: Map<string, number>, count: number) =>
  Effect.gen(function* () {
    const jobs = yield* JobStore
    const times: Array<number> = []
    for (let made = 0; made < count; made++) {
      const job = newJob(account)
      yield* jobs.create(job, { guard: null, maxWaiting: null })
      const created = performance.now()
      while (!started.has(job.id)) yield* Effect.sleep("1 millis")
      times.push(Math.max(0, (started.get(job.id) ?? 0) - created))
      yield* Effect.sleep("60 millis")
    }
    return times.sort((left, right) => left - right)
  })

const fairness = async (stores: Stores, client: Client, slots: number): Promise<ReadonlyArray<Outcome>> => {
  await client.query("TRUNCATE queue, job, publication, transcript_edit, transcript_extra")
  const [small, large] = [await newAccount(stores), await newAccount(stores)]
  const started = new Map<string, number>()
  const measured = Effect.gen(function* () {
    const jobs = yield* JobStore
    const working = yield* Effect.fork(workers(slots, started))
    yield* Effect.sleep("200 millis")
    const idle = yield* waits(small, started, sized(20, 2))
    const feed = Array.from({ length: WAITING }, () => newJob(large))
    yield* jobs.createBatch({
      id: BatchId.make(newId("batch")),
      account: large,
      feedUrl: "https://feed.example.org/rss",
      title: null,
      createdAt: Date.now(),
      jobs: feed,
      guard: null,
      maxWaiting: null,
    })
    yield* Effect.sleep("500 millis")
    const loaded = yield* waits(small, started, sized(20, 2))
    yield* Fiber.interrupt(working)
    return { idle, loaded }
  })
  const { idle, loaded } = await stores.runPromise(measured)
  const [before, after] = [quantile(idle, 0.5), quantile(loaded, 0.5)]
  // From creation to its end, on an idle system: the wait for a slot and the work itself.
  const alone = before + 40
  return [
    absolute(
      `enqueue to start with ${slots} ${slots === 1 ? "slot" : "slots"}, p50 ms`,
      before,
      "< 20",
      before < 20,
    ),
    {
      bench: `a single job beside 5,000 of another account, ${slots} ${slots === 1 ? "slot" : "slots"}: to its end, p50 ms`,
      ours: after + 40,
      rival: alone,
      rivalName: "the same, idle",
      ratio: (after + 40) / alone,
      bar: "<= 3x",
      pass: after + 40 <= 3 * alone,
    },
  ]
}

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const { stores, client, stop } = await startStores()
  try {
    return [
      await claims(stores, client, 200),
      await claims(stores, client, sized(10_000, 400)),
      ...(await racing(stores, client)),
      ...(await fairness(stores, client, 1)),
      ...(await fairness(stores, client, 2)),
      ...(await fairness(stores, client, 16)),
    ]
  } finally {
    await stop()
  }
}

await main({ run })
