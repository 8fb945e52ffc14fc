import { type ChildProcess, spawn } from "node:child_process"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { TimeLimit } from "@earmark/service"
import { Data, Duration, Effect, Schedule } from "effect"

export interface ProgramRun {
  readonly program: string
  readonly args: ReadonlyArray<string>
  /** The program's own: where it runs, and all that it knows as a home. */
  readonly folder: string
  readonly path: string
  /** What it knows beside that. Unlike arguments, other users cannot read it. */
  readonly environment?: Readonly<Record<string, string>>
  /** Milliseconds, after which the whole process group is gone. */
  readonly deadline: number
  readonly maxOutput: number
  /** Bytes that the folder may hold. */
  readonly maxBytes: number
}

export interface Ran {
  readonly code: number
  readonly output: string
  readonly errors: string
}

export class ProgramFailed extends Data.TaggedError("ProgramFailed")<{
  readonly reason: "not_started" | "too_slow" | "too_much_output" | "too_many_bytes"
  readonly cause?: unknown
}> {}

const ERRORS_AT_MOST = 64 * 1024
const LOOKED_AT_EVERY = Duration.millis(250)

const killGroup = (child: ChildProcess): void => {
  if (child.pid === undefined) return
  try {
    // Its children are in the group too.
    process.kill(-child.pid, "SIGKILL")
  } catch {
    // It was gone already.
  }
}

const started = ({ program, args, folder, path, environment }: ProgramRun) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(program, args, {
        cwd: folder,
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          PATH: path,
          HOME: folder,
          TMPDIR: folder,
          LANG: "C.UTF-8",
          PYTHONNOUSERSITE: "1",
          YTDLP_NO_PLUGINS: "1",
          ...environment,
        },
      }),
    ),
    (child) => Effect.sync(() => killGroup(child)),
  )

const ended = (child: ReturnType<typeof spawn>, maxOutput: number): Effect.Effect<Ran, ProgramFailed> =>
  Effect.async((resume) => {
    const output: Array<Buffer> = []
    let errors = ""
    let bytes = 0
    child.stdout?.on("data", (piece: Buffer) => {
      bytes += piece.length
      if (bytes <= maxOutput) output.push(piece)
      else resume(Effect.fail(new ProgramFailed({ reason: "too_much_output" })))
    })
    child.stderr?.on("data", (piece: Buffer) => {
      errors = (errors + piece.toString("utf8")).slice(-ERRORS_AT_MOST)
    })
    child.on("error", (cause) => resume(Effect.fail(new ProgramFailed({ reason: "not_started", cause }))))
    child.on("close", (code) =>
      resume(Effect.succeed({ code: code ?? -1, output: Buffer.concat(output).toString("utf8"), errors })),
    )
  })

const sizeOf = async (folder: string): Promise<number> => {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (file) => (file.isFile() ? file.size : 0),
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Fails as soon as the folder holds more than it may. */
const overflow = (folder: string, maxBytes: number): Effect.Effect<never, ProgramFailed> =>
  Effect.promise(() => sizeOf(folder)).pipe(
    Effect.filterOrFail(
      (bytes) => bytes <= maxBytes,
      () => new ProgramFailed({ reason: "too_many_bytes" }),
    ),
    Effect.repeat(Schedule.spaced(LOOKED_AT_EVERY)),
    Effect.zipRight(Effect.never),
  )

/** Runs a foreign program to its end, within its bounds. However this ends, nothing of the program is left running. */
export const runProgram = (run: ProgramRun): Effect.Effect<Ran, ProgramFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const child = yield* started(run)
      return yield* Effect.raceFirst(ended(child, run.maxOutput), overflow(run.folder, run.maxBytes))
    }),
  ).pipe(
    TimeLimit.fail({
      duration: run.deadline,
      onTimeout: () => new ProgramFailed({ reason: "too_slow" }),
    }),
  )
