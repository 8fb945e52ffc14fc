import { type AudioWindow, TimeLimit, type WorkFailed } from "@earmark/service"
import { Duration, Effect, Exit, Scope } from "effect"
import { broken, tooSlow, troubleOf, unavailable } from "../failures.js"
import type { Heard } from "../heard.js"
import type { EngineProcess, RecognizeOptions } from "./EngineProcess.js"

export interface PoolOptions {
  /** Processes at once. */
  readonly size: number
  /** Windows after which a process is replaced: engines leak. */
  readonly windowsPerProcess: number
  /** A process that holds more bytes after a window is replaced. */
  readonly residentLimit: number
  /** How long a process may take for a window of so many milliseconds. */
  readonly windowLimit: (milliseconds: number) => Duration.Duration
  /** How long the start may take, loading included. */
  readonly startLimit: Duration.Duration
}

const MEGABYTE = 1024 * 1024
/** Starts in a row that may fail before no more are tried. */
const STARTS = 3

const poolDefaults: PoolOptions = {
  size: 1,
  windowsPerProcess: 500,
  residentLimit: 8_192 * MEGABYTE,
  windowLimit: (milliseconds) => Duration.millis(Math.max(30_000, 20 * milliseconds)),
  startLimit: Duration.seconds(120),
}

/** Processes of one engine, at most so many, started when they are needed and used again while they are well. */
export interface ProcessPool<Answer = Heard> {
  /** Hears one window in a process for `key`. A process that failed, or whose window was given up, is gone when this returns. */
  readonly recognize: (
    key: string,
    window: AudioWindow,
    options: RecognizeOptions,
  ) => Effect.Effect<Answer, WorkFailed>
}

interface Member<Answer> {
  readonly key: string
  readonly process: EngineProcess<Answer>
  readonly scope: Scope.CloseableScope
  windows: number
}

/** The process refused this window, and is well. */
const isRefusal = ({ code, isTransient }: WorkFailed): boolean =>
  !isTransient && (code === "language_unsupported" || code === "engine_error")

/** Makes a pool. `start` starts the process for a key: everything that makes processes different (model, quality) is in the key. */
export const makeProcessPool = <Answer>(
  engine: string,
  start: (key: string) => Effect.Effect<EngineProcess<Answer>, WorkFailed, Scope.Scope>,
  overrides: Partial<PoolOptions> = {},
): Effect.Effect<ProcessPool<Answer>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const options = { ...poolDefaults, ...overrides }
    const places = yield* Effect.makeSemaphore(options.size)
    const idle: Array<Member<Answer>> = []
    const living = new Set<Member<Answer>>()
    const failedStarts = new Map<string, number>()

    const end = (member: Member<Answer>) =>
      Effect.zipRight(
        Effect.sync(() => living.delete(member)),
        Scope.close(member.scope, Exit.void),
      )

    yield* Effect.addFinalizer(() =>
      Effect.forEach([...living], end, { concurrency: "unbounded", discard: true }),
    )

    // Only the start itself can be interrupted: a process that is taken is always given back or ended.
    const begin = Effect.fnUntraced(function* (key: string) {
      const failed = failedStarts.get(key) ?? 0
      if (failed >= STARTS) {
        return yield* broken(`${engine} failed to start ${failed} times; mend it, then start Earmark again.`)
      }
      const scope = yield* Scope.make()
      const process = yield* start(key).pipe(
        Scope.extend(scope),
        TimeLimit.fail({
          duration: options.startLimit,
          onTimeout: () =>
            unavailable(`${engine} was not ready after ${Duration.format(options.startLimit)}.`),
        }),
        Effect.interruptible,
        Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, Exit.void))),
        Effect.tapError((failure) =>
          Effect.zipRight(
            Effect.sync(() => failedStarts.set(key, failed + 1)),
            Effect.logWarning(`${engine} did not start: ${troubleOf(failure)}`),
          ),
        ),
      )
      failedStarts.delete(key)
      const member: Member<Answer> = { key, process, scope, windows: 0 }
      living.add(member)
      return member
    })

    const take = Effect.fnUntraced(function* (key: string) {
      const at = idle.findLastIndex((member) => member.key === key)
      const [fitting] = at < 0 ? [] : idle.splice(at, 1)
      if (fitting !== undefined) return fitting
      // Whoever holds a place may start a process: one that nobody needs now gives way.
      const spare = living.size >= options.size ? idle.shift() : undefined
      if (spare !== undefined) yield* end(spare)
      return yield* begin(key)
    })

    const giveBack = Effect.fnUntraced(function* (
      member: Member<Answer>,
      exit: Exit.Exit<Answer, WorkFailed>,
    ) {
      member.windows += 1
      const isWell = Exit.match(exit, {
        onSuccess: () => true,
        onFailure: (cause) => cause._tag === "Fail" && isRefusal(cause.error),
      })
      if (!isWell || member.windows >= options.windowsPerProcess) return yield* end(member)
      const bytes = yield* member.process.residentBytes
      if (bytes !== null && bytes > options.residentLimit) return yield* end(member)
      idle.push(member)
    })

    const recognize: ProcessPool<Answer>["recognize"] = (key, window, asked) => {
      const limit = options.windowLimit(window.end - window.start)
      const hear = ({ process }: Member<Answer>) =>
        process.recognize(window, asked).pipe(
          TimeLimit.fail({
            duration: limit,
            onTimeout: () => tooSlow(`${engine} took more than ${Duration.format(limit)} for a window.`),
          }),
        )
      return places.withPermits(1)(Effect.acquireUseRelease(take(key), hear, giveBack))
    }

    return { recognize }
  })
