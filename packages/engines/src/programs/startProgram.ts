import { spawn } from "node:child_process"
import { TimeLimit } from "@earmark/service"
import { Config, Data, Deferred, Effect, Option, type Scope } from "effect"

/** A program that cannot be started at all. */
export class ProgramMissing extends Data.TaggedError("ProgramMissing")<{
  readonly command: string
  readonly message: string
}> {}

interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null
  readonly signal: string | null
}

/** A program at work. */
export interface Program {
  readonly pid: number
  readonly ended: Effect.Effect<Ended>
  /** The end of what it said on standard error. */
  readonly lastWords: () => string
}

export interface ProgramOptions {
  /** Is given each line of standard error. */
  readonly onError?: (line: string) => void
  /** Is given standard output; ignored otherwise. */
  readonly onOutput?: (text: string) => void
}

const KEPT = 8_192

/** What programs may know of the environment: nothing that could be a secret. */
const PASSED_ON = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]

export const plainEnvironment = Effect.map(
  Effect.forEach(PASSED_ON, (name) =>
    Effect.map(Config.option(Config.string(name)), (value) => [name, Option.getOrUndefined(value)] as const),
  ).pipe(Effect.orElseSucceed((): ReadonlyArray<readonly [string, string | undefined]> => [])),
  (pairs): Record<string, string> => {
    const known: Record<string, string> = { LC_ALL: "C" }
    for (const [name, value] of pairs) if (value !== undefined) known[name] = value
    return known
  },
)

// A watcher in the same group reads a pipe that nobody writes to: it ends when this process does, however that dies.
const GUARD = '(cat <&3 >/dev/null 2>&1; kill -KILL -- -$$ 2>/dev/null) & exec "$@" 3<&-'

/** Ends a process group at once; one that is gone already is fine. */
export const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // Gone.
  }
}

const linesInto = (onLine: (line: string) => void) => {
  let rest = ""
  return (text: string) => {
    const lines = (rest + text).split("\n")
    rest = (lines.pop() ?? "").slice(-KEPT)
    for (const line of lines) onLine(line)
  }
}

/**
 * Starts a program in a process group of its own, without a shell's reading of its arguments. It goes, with everything
 * that it started, when the scope closes and when this process dies.
 */
export const startProgram = (
  command: string,
  args: ReadonlyArray<string>,
  { onError, onOutput }: ProgramOptions = {},
): Effect.Effect<Program, ProgramMissing, Scope.Scope> =>
  Effect.gen(function* () {
    const env = yield* plainEnvironment
    const ended = yield* Deferred.make<Ended>()
    const started = Effect.async<Program, ProgramMissing>((resume) => {
      const child = spawn("/bin/sh", ["-c", GUARD, "sh", command, ...args], {
        env,
        detached: true,
        stdio: ["ignore", onOutput === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      })
      let said = ""
      const takeLines = onError === undefined ? undefined : linesInto(onError)
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-KEPT)
        takeLines?.(text)
      })
      child.stdout?.setEncoding("utf8").on("data", (text: string) => onOutput?.(text))
      child.stdio[3]?.on("error", () => {})
      child.once("error", (error) => {
        resume(
          Effect.fail(
            new ProgramMissing({ command, message: `${command} cannot be started: ${error.message}.` }),
          ),
        )
      })
      child.once("exit", () => {
        if (child.pid !== undefined) killGroup(child.pid)
      })
      child.once("close", (code, signal) => Deferred.unsafeDone(ended, Effect.succeed({ code, signal })))
      child.once("spawn", () => {
        resume(Effect.succeed({ pid: child.pid ?? 0, ended: Deferred.await(ended), lastWords: () => said }))
      })
    })
    return yield* Effect.acquireRelease(started, ({ pid }) =>
      Effect.zipRight(
        Effect.sync(() => killGroup(pid)),
        Deferred.await(ended),
      ).pipe(TimeLimit.timeout("5 seconds"), Effect.ignore),
    )
  })
