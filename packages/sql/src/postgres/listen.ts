import { Effect, Schedule } from "effect"
import { Client, type ClientConfig } from "pg"
import { type DatabaseFailure, databaseFailure } from "../database/DatabaseFailure.js"
import type { Work } from "../database/Wakes.js"
import { CHANNEL } from "./makeNotifier.js"

const PROBE_EVERY = "15 seconds"

const isWork = (text: string | undefined): text is Work => text === "jobs" || text === "deliveries"

const reconnect = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("5 seconds")),
  Schedule.jittered,
)

/** One connection that listens, until it breaks. */
const session = (config: ClientConfig, heard: (work: Work) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => new Client(config)),
      (open) => Effect.promise(() => open.end().catch(() => undefined)),
    )
    const run = (text: string) => Effect.tryPromise({ try: () => client.query(text), catch: databaseFailure })
    const broken = Effect.async<never, DatabaseFailure>((resume) => {
      const fail = (error: unknown) => resume(Effect.fail(databaseFailure(error)))
      client.on("error", fail)
      client.on("end", () => fail(new Error("the connection ended")))
    })
    const words = Effect.async<Work>((resume) => {
      client.once("notification", ({ payload }) => resume(Effect.succeed(isWork(payload) ? payload : "jobs")))
    })

    const listening = Effect.gen(function* () {
      yield* Effect.tryPromise({ try: () => client.connect(), catch: databaseFailure })
      yield* run(`LISTEN ${CHANNEL}`)
      // Whatever was said while nobody listened.
      yield* heard("jobs")
      yield* heard("deliveries")
      const probing = Effect.forever(Effect.zipRight(Effect.sleep(PROBE_EVERY), run("SELECT 1")))
      const hearing = Effect.forever(Effect.flatMap(words, heard))
      return yield* Effect.raceFirst(probing, hearing)
    })
    return yield* Effect.raceFirst(listening, broken)
  }).pipe(Effect.scoped)

/** Passes on what other processes say, for ever: a connection that breaks, or that answers no more, is replaced. */
export const listen = (
  config: ClientConfig,
  heard: (work: Work) => Effect.Effect<void>,
): Effect.Effect<never> =>
  session(config, heard).pipe(
    Effect.tapErrorCause((cause) => Effect.logDebug("The listener lost its connection", cause)),
    Effect.retry(reconnect),
    Effect.orDie,
  )
