import { TimeLimit } from "@earmark/service"
import { Effect, Queue, Schedule } from "effect"
import { Client, type ClientConfig, type Notification } from "pg"
import { type DatabaseFailure, databaseFailure } from "../database/DatabaseFailure.js"
import { WORKS, type Work } from "../database/Wakes.js"
import { CHANNEL, NEWS_CHANNEL } from "./makeNotifier.js"

const PROBE_EVERY = "15 seconds"
const PROBED_WITHIN = "10 seconds"

/** More than this many that nobody has taken yet: the oldest are lost. */
const KEPT = 10_000

const isWork = (text: string): text is Work => WORKS.some((work) => work === text)

const reconnect = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("5 seconds")),
  Schedule.jittered,
)

/** What is done with what is heard. */
export interface Ears {
  readonly work: (work: Work) => Effect.Effect<void>
  readonly jobs: (payload: string) => Effect.Effect<void>
  /** Something may have been said while nobody listened. */
  readonly missed: Effect.Effect<void>
  /** Whether the connection stands. */
  readonly listening: (is: boolean) => void
}

/** One connection that listens, until it breaks. */
const session = (config: ClientConfig, ears: Ears) =>
  Effect.gen(function* () {
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => new Client(config)),
      (open) => Effect.promise(() => open.end().catch(() => undefined)),
    )
    yield* Effect.addFinalizer(() => Effect.sync(() => ears.listening(false)))
    const run = (text: string) => Effect.tryPromise({ try: () => client.query(text), catch: databaseFailure })
    const broken = Effect.async<never, DatabaseFailure>((resume) => {
      const fail = (error: unknown) => resume(Effect.fail(databaseFailure(error)))
      client.on("error", fail)
      client.on("end", () => fail(new Error("the connection ended")))
    })
    // Several come in one turn.
    const notices = yield* Queue.sliding<Notification>(KEPT)
    client.on("notification", (notice) => notices.unsafeOffer(notice))

    const hear = ({ channel, payload = "" }: Notification) =>
      channel === NEWS_CHANNEL ? ears.jobs(payload) : ears.work(isWork(payload) ? payload : "jobs")

    const listening = Effect.gen(function* () {
      yield* Effect.tryPromise({ try: () => client.connect(), catch: databaseFailure })
      yield* run(`LISTEN ${CHANNEL}; LISTEN ${NEWS_CHANNEL}`)
      ears.listening(true)
      yield* ears.missed
      const probe = TimeLimit.fail(run("SELECT 1"), {
        duration: PROBED_WITHIN,
        onTimeout: () => databaseFailure(new Error("the connection does not answer")),
      })
      const probing = Effect.forever(Effect.zipRight(Effect.sleep(PROBE_EVERY), probe))
      const hearing = Effect.forever(Effect.flatMap(Queue.take(notices), hear))
      return yield* Effect.raceFirst(probing, hearing)
    })
    return yield* Effect.raceFirst(listening, broken)
  }).pipe(Effect.scoped)

/** Passes on what other processes say, for ever: a connection that breaks, or that answers no more, is replaced. */
export const listen = (config: ClientConfig, ears: Ears): Effect.Effect<never> =>
  session(config, ears).pipe(
    Effect.tapErrorCause((cause) => Effect.logDebug("The listener lost its connection", cause)),
    Effect.retry(reconnect),
    Effect.orDie,
  )
