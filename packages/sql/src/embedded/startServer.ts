import { execFile } from "node:child_process"
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Clock, Effect } from "effect"
import { EmbeddedRefused } from "./EmbeddedRefused.js"
import { type Hold, startLeashed } from "./leash.js"
import { environmentOf, giveTo, makeRuntime, type Place } from "./place.js"
import { runnablePrograms } from "./programs.js"
import { INITIALISE, MAJOR, SERVER_ARGUMENTS } from "./serverSettings.js"
import { processesIn, serverState, startOf } from "./serverState.js"

/** The folder in which a program was started: Postgres may not enter the folders above it. */
const HERE = "/proc/self/cwd"

const LOG_BYTES = 5_000_000
const LOOK_EVERY = "5 millis"
const LEFT_OVER_MILLISECONDS = 3000
const LAST_WORDS = 300

export const attempt = <A>({ folder }: Pick<Place, "folder">, work: () => A) =>
  Effect.try({
    try: work,
    catch: (error) =>
      error instanceof EmbeddedRefused
        ? error
        : new EmbeddedRefused({ reason: "failed", folder, found: String(error) }),
  })

const wordsOf = (error: unknown): string => {
  const words = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error)
  return words.trim().slice(-LAST_WORDS)
}

/** A new database, whole or not at all. Called by who has the lock. */
const initialise = (place: Place) =>
  Effect.gen(function* () {
    const fresh = `${place.data}.new`
    yield* attempt(place, () => {
      rmSync(fresh, { recursive: true, force: true })
      mkdirSync(fresh, { mode: 0o700 })
      giveTo(place.user, fresh)
    })
    const program = join(place.programs, "bin", "initdb")
    yield* Effect.tryPromise({
      try: (signal) =>
        promisify(execFile)(program, [`--pgdata=${HERE}`, ...INITIALISE], {
          cwd: fresh,
          signal,
          env: environmentOf(place),
          ...place.user,
        }),
      catch: (error) =>
        new EmbeddedRefused({ reason: "failed", folder: place.folder, found: wordsOf(error) }),
    })
    yield* attempt(place, () => {
      renameSync(fresh, place.data)
      const folder = openSync(place.folder, "r")
      fsyncSync(folder)
      closeSync(folder)
    })
  })

/** The same, with programs that the user of the server may run. */
const withPrograms = (place: Place): Place => {
  const programs = runnablePrograms(place.programs, place.user)
  if (programs !== null) return { ...place, programs }
  throw new EmbeddedRefused({ reason: "unreadable", folder: place.folder, found: place.programs })
}

const check = ({ data, folder, log }: Place): void => {
  const found = readFileSync(join(data, "PG_VERSION"), "utf8").trim()
  if (found !== MAJOR) throw new EmbeddedRefused({ reason: "version", folder, found })
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES) renameSync(log, `${log}.1`)
}

const endNow = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch (error) {
    // It may have ended by itself.
    if (startOf(pid) !== null) throw error
  }
}

/** The server of the folder when one is ready, null as soon as none is left in it. */
const settled = (place: Place) =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    for (;;) {
      const state = serverState(place)
      if (state.type === "ready") return state
      const left = state.type === "changing" ? [] : processesIn(place)
      if (state.type !== "changing" && left.length === 0) return null
      const isLate = (yield* Clock.currentTimeMillis) - begun > LEFT_OVER_MILLISECONDS
      if (isLate) for (const pid of left) yield* attempt(place, () => endNow(pid))
      yield* Effect.sleep(LOOK_EVERY)
    }
  })

const lastWords = ({ log }: Place): string =>
  existsSync(log) ? readFileSync(log, "utf8").trim().slice(-LAST_WORDS) : ""

/** Starts a server in a folder that has none, and waits until it is ready. */
const begin = (place: Place, hold: Hold) =>
  Effect.gen(function* () {
    const { runtime, data, folder, programs } = place
    const command = [join(programs, "bin", "postgres"), "-D", HERE, "-k", runtime, ...SERVER_ARGUMENTS]
    const shell = yield* attempt(place, () => {
      // A server that was killed leaves these, and its number may be that of another process by now.
      const stale = [
        join(data, "postmaster.pid"),
        join(runtime, ".s.PGSQL.5432"),
        join(runtime, ".s.PGSQL.5432.lock"),
      ]
      for (const path of stale) rmSync(path, { force: true })
      return startLeashed(place, hold, command)
    })
    let failure: string | null = null
    shell.once("error", (error) => {
      failure = String(error)
    })
    shell.once("exit", (code, signal) => {
      failure = `it ended with ${code ?? signal}: ${lastWords(place)}`
    })
    for (;;) {
      const state = serverState(place)
      if (state.type === "ready") return state
      if (failure !== null) return yield* new EmbeddedRefused({ reason: "failed", folder, found: failure })
      yield* Effect.sleep(LOOK_EVERY)
    }
  })

/** The server of a folder, which is made and started when it is not there. Called by who has the lock. */
export const startServer = (given: Place, hold: Hold) =>
  Effect.gen(function* () {
    const place = yield* attempt(given, () => withPrograms(given))
    yield* attempt(place, () => makeRuntime(place))
    if (!existsSync(place.data)) yield* initialise(place)
    yield* attempt(place, () => check(place))
    return (yield* settled(place)) ?? (yield* begin(place, hold))
  })
