import { randomUUID } from "node:crypto"
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { hostname } from "node:os"
import { dirname } from "node:path"
import { trimEndOf } from "@earmark/core/text"
import { Clock, Data, Effect, Either, Schedule, Schema } from "effect"

/** Another process has the directory open. Two at once would overwrite each other without a word. */
export class StoreInUse extends Data.TaggedError("StoreInUse")<{
  readonly directory: string
  readonly holder: string
}> {
  override get message() {
    return `The data directory ${this.directory} is in use by ${this.holder}. Stop it first, or use another directory.`
  }
}

const Holder = Schema.parseJson(
  Schema.Struct({
    pid: Schema.Int,
    /** When that process started, by its kernel: pids come back, in containers always the same ones. */
    started: Schema.NullOr(Schema.String),
    host: Schema.String,
    token: Schema.String,
  }),
)
type Holder = typeof Holder.Type

const TOUCH_EVERY = "15 seconds"
/** A holder on another host cannot be asked whether it lives; it says so by touching its file. */
const SILENT_AFTER = 60_000

const startOf = (pid: number): string | null => {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name of the program, in parentheses, may hold anything.
    return status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? null
  } catch {
    return null
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const lives = (holder: Holder, file: string, now: number): boolean => {
  if (holder.host !== hostname()) return now - statSync(file).mtimeMs < SILENT_AFTER
  return isRunning(holder.pid) && startOf(holder.pid) === holder.started
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code

const create = (file: string, text: string): boolean => {
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o600 })
    return true
  } catch (error) {
    if (isCode(error, "EEXIST")) return false
    throw error
  }
}

const read = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if (isCode(error, "ENOENT")) return null
    throw error
  }
}

/** Takes a dead holder's file away. If it was replaced by a living one in that moment, that one is put back. */
const clear = (file: string, stale: string): void => {
  const aside = `${file}.${randomUUID()}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (isCode(error, "ENOENT")) return
    throw error
  }
  if (read(aside) !== stale) linkSync(aside, file)
  unlinkSync(aside)
}

const MOST_TRIES = 20

const take = (directory: string, file: string, own: string, now: number): Either.Either<void, StoreInUse> => {
  mkdirSync(dirname(file), { recursive: true })
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (create(file, own)) return Either.void
    const text = read(file)
    if (text === null) continue
    const holder = Schema.decodeEither(Holder)(text)
    // An unreadable file is one that is being written, or was cut by a crash.
    const isHeld = Either.isRight(holder)
      ? lives(holder.right, file, now)
      : now - statSync(file).mtimeMs < SILENT_AFTER
    if (isHeld) {
      const named = Either.isRight(holder)
        ? `process ${holder.right.pid} on ${holder.right.host}`
        : "another process"
      return Either.left(new StoreInUse({ directory, holder: named }))
    }
    clear(file, text)
  }
  return Either.left(new StoreInUse({ directory, holder: "another process" }))
}

/** Keeps a directory to this process, until the scope ends or the process does. */
export const lockDirectory = (directory: string) =>
  Effect.gen(function* () {
    const file = `${trimEndOf(directory, "/\\")}.lock`
    const own: Holder = {
      pid: process.pid,
      started: startOf(process.pid),
      host: hostname(),
      token: randomUUID(),
    }
    const text = JSON.stringify(own)
    const release = () => {
      if (read(file) === text) rmSync(file, { force: true })
    }
    const now = yield* Clock.currentTimeMillis
    yield* Effect.acquireRelease(
      Effect.suspend(() => take(directory, file, text, now)).pipe(
        Effect.tap(() => Effect.sync(() => process.once("exit", release))),
      ),
      () =>
        Effect.sync(() => {
          process.removeListener("exit", release)
          release()
        }),
    )
    const touch = Effect.gen(function* () {
      const seconds = (yield* Clock.currentTimeMillis) / 1000
      yield* Effect.try(() => utimesSync(file, seconds, seconds))
    })
    yield* touch.pipe(Effect.ignore, Effect.repeat(Schedule.spaced(TOUCH_EVERY)), Effect.forkScoped)
  })
