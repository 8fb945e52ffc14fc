import { randomUUID } from "node:crypto"
import { JobId } from "@earmark/core/jobs"
import { type Dispatched, TimeLimit } from "@earmark/service"
import { createRedisBackend, Queue, Worker } from "bullmq"
import { Effect, Either, Exit, Schema, Scope, SynchronizedRef } from "effect"
import { type Connection, RedisAway, reasonOf } from "./connect.js"

const QUEUE = "dispatched"
/** How many are taken at once. */
const WIDTH = 64
const FIRST_ANSWER = "5 seconds"

const decode = Schema.decodeUnknownEither(Schema.Struct({ job: JobId, token: Schema.String }))

const attempt = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (error) => new RedisAway({ reason: reasonOf(error) }) })

const close = (end: { close: () => Promise<void> }) =>
  Effect.ignore(
    TimeLimit.timeout(
      attempt(() => end.close()),
      FIRST_ANSWER,
    ),
  )

/** The two ends of a BullMQ queue. They come into being only while the server answers. */
const open = ({ client }: Connection, prefix: string) =>
  Effect.gen(function* () {
    const shared = { connection: client, prefix }
    const queue = yield* Effect.acquireRelease(
      Effect.sync(() => new Queue(QUEUE, { ...shared, streams: { events: { maxLen: 1_000 } } })),
      close,
    )
    // Without a processor: an entry is taken when there is a slot for it, and never before. So no connection is needed that blocks.
    const worker = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Worker(QUEUE, null, { ...shared, lockDuration: 60_000 }, (name, options) =>
            createRedisBackend(name, options),
          ),
      ),
      close,
    )
    // The connection itself tells when the server goes.
    queue.on("error", () => {})
    worker.on("error", () => {})
    yield* TimeLimit.fail(
      attempt(() => Promise.all([queue.waitUntilReady(), worker.waitUntilReady()])),
      { duration: FIRST_ANSWER, onTimeout: () => new RedisAway({ reason: "no answer" }) },
    )
    // What a killed process had just taken leaves the list of active entries again. The store does not wait for that.
    yield* attempt(() => worker.startStalledCheckTimer())
    return { queue, worker }
  })

type Ends = Effect.Effect.Success<ReturnType<typeof open>>

/** What an entry of the queue says; null when there is none. */
const takeOne = async ({ worker }: Ends): Promise<unknown> => {
  const token = randomUUID()
  const entry = await worker.getNextJob(token, { block: false })
  if (entry === undefined) return null
  // Nobody waits for its end: what stays behind is found by the check for stalled ones, and the store knows better.
  entry.moveToCompleted(null, token, false).catch(() => {})
  return entry.data
}

/** Takes up to so many, in their order. One that fails takes none of the others with it. */
const takeMany = async (ends: Ends, most: number): Promise<ReadonlyArray<Dispatched>> => {
  const taken: Array<Dispatched> = []
  for (let left = most; left > 0; left -= WIDTH) {
    const width = Math.min(left, WIDTH)
    const results = await Promise.allSettled(Array.from({ length: width }, () => takeOne(ends)))
    const found = results.flatMap((result) =>
      result.status === "fulfilled" && result.value !== null ? [result.value] : [],
    )
    taken.push(
      ...found.flatMap((data) => Either.match(decode(data), { onLeft: () => [], onRight: (one) => [one] })),
    )
    if (found.length < width) break
  }
  return taken
}

/** Carries entries from the relay to workers through BullMQ, first in, first out. */
export const makeCarrier = (connection: Connection, prefix: string) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const known = yield* SynchronizedRef.make<Ends | null>(null)

    // What could not be opened leaves nothing behind; the next one who needs it tries again.
    const openNow = Effect.gen(function* () {
      yield* connection.check
      const own = yield* Scope.make()
      const opened = yield* Effect.exit(Scope.extend(open(connection, prefix), own))
      if (Exit.isFailure(opened)) yield* Scope.close(own, opened)
      else yield* Scope.addFinalizer(scope, Scope.close(own, Exit.void))
      return yield* opened
    })

    const ends = SynchronizedRef.modifyEffect(known, (found) =>
      Effect.map(found === null ? openNow : Effect.succeed(found), (both) => [both, both] as const),
    )

    return {
      /** Sends entries on their way. All of them, or none. */
      send: (dispatched: ReadonlyArray<Dispatched>) =>
        dispatched.length === 0
          ? Effect.void
          : Effect.flatMap(ends, ({ queue }) =>
              Effect.asVoid(
                attempt(() =>
                  queue.addBulk(
                    dispatched.map(({ job, token }) => ({
                      name: "job",
                      data: { job, token },
                      opts: {
                        jobId: `${job}.${token}`,
                        attempts: 1,
                        removeOnComplete: true,
                        removeOnFail: true,
                      },
                    })),
                  ),
                ),
              ),
            ),
      /** How many are on their way, and nobody has taken them. */
      waiting: Effect.flatMap(ends, ({ queue }) => attempt(() => queue.getWaitingCount())),
      /** Takes up to so many. */
      take: (most: number) => Effect.flatMap(ends, (both) => attempt(() => takeMany(both, most))),
    }
  })

export type Carrier = Effect.Effect.Success<ReturnType<typeof makeCarrier>>
