import { rmSync } from "node:fs"
import { TimeLimit } from "@earmark/service"
import { Clock, Effect } from "effect"
import { EmbeddedRefused } from "./EmbeddedRefused.js"
import { claimFolder, dropHolder, touchHolder } from "./holder.js"
import { Hold, hasLeash, holdAgain, isLetGo, joinLeash } from "./leash.js"
import { type Place, placeOf } from "./place.js"
import { findPrograms } from "./programs.js"
import { type RunningServer, serverState, startOf } from "./serverState.js"
import { lockStart } from "./startLock.js"
import { attempt, startServer } from "./startServer.js"

const START_WITHIN = "60 seconds"
const STOP_WITHIN = "10 seconds"
const LOOK_EVERY = "200 millis"
const LOOKS_PER_TOUCH = 25
const LOOK_WHILE_STOPPING = "5 millis"

const isAlive = ({ pid, started }: RunningServer): boolean => startOf(pid) === started

/** Joins a server that is ready, without the lock. */
const join = (place: Place, hold: Hold): RunningServer | null => {
  const state = serverState(place)
  return state.type === "ready" && joinLeash(place, hold) ? state : null
}

const start = (place: Place, hold: Hold) =>
  Effect.gen(function* () {
    yield* lockStart(place)
    yield* claimFolder(place)
    const server = yield* startServer(place, hold)
    yield* attempt(place, () => joinLeash(place, hold) || holdAgain(place, hold, server.pid))
    return server
  }).pipe(
    Effect.scoped,
    TimeLimit.fail({
      duration: START_WITHIN,
      onTimeout: () => new EmbeddedRefused({ reason: "slow", folder: place.folder }),
    }),
  )

/** The last one waits until the server has stopped, so that its folder may be copied or removed. */
const stopped = (place: Place, server: RunningServer) =>
  Effect.gen(function* () {
    while (isLetGo(place) && isAlive(server)) yield* Effect.sleep(LOOK_WHILE_STOPPING)
    if (isAlive(server)) return
    yield* lockStart(place)
    if (serverState(place).type !== "none") return
    yield* attempt(place, () => {
      dropHolder(place)
      rmSync(place.runtime, { recursive: true, force: true })
    })
  }).pipe(
    Effect.scoped,
    TimeLimit.option(STOP_WITHIN),
    // The next start clears what is left.
    Effect.catchAll((failure) => Effect.logDebug("The embedded database has left something behind", failure)),
  )

/**
 * The Postgres of a folder, for as long as the scope lives: joined when it runs, else started. It is started again when it is killed, and
 * stopped by whoever leaves last, even when that is by `kill -9`. Answers where it is.
 */
export const embeddedServer = Effect.fnUntraced(function* (directory: string) {
  const programs = findPrograms()
  if (programs === null) return yield* new EmbeddedRefused({ reason: "missing", folder: directory })
  const place = yield* attempt({ folder: directory }, () => placeOf(directory, programs))
  const hold = new Hold()
  let server: RunningServer | null = null

  const ensure = Effect.gen(function* () {
    server = (yield* attempt(place, () => join(place, hold))) ?? (yield* start(place, hold))
  })
  const leave = Effect.gen(function* () {
    // A server whose leash was killed gets another one, or nothing would stop it.
    if (server !== null && isAlive(server) && !hasLeash(place)) {
      yield* Effect.catchAll(TimeLimit.option(ensure, STOP_WITHIN), (failure) =>
        Effect.logWarning("The embedded database runs on: it cannot be told to stop", failure),
      )
    }
    hold.drop()
    if (server !== null) yield* stopped(place, server)
  })
  const look = Effect.fnUntraced(function* (count: number) {
    if ((server !== null && !isAlive(server)) || !hasLeash(place)) yield* ensure
    if (count % LOOKS_PER_TOUCH !== 0) return
    const now = yield* Clock.currentTimeMillis
    yield* attempt(place, () => touchHolder(place, now))
  })
  const keep = (count: number) =>
    Effect.sleep(LOOK_EVERY).pipe(
      Effect.zipRight(look(count)),
      Effect.catchAll((failure) => Effect.logWarning("The embedded database is not back yet", failure)),
      Effect.as(count + 1),
    )

  yield* Effect.addFinalizer(() => leave)
  yield* ensure
  yield* Effect.forkScoped(Effect.iterate(1, { while: () => true, body: keep }))
  return { host: place.runtime, port: 5432, user: "earmark", database: "postgres" }
})
