import { type ChildProcess, spawn } from "node:child_process"
import type { Socket } from "node:net"
import { Readable } from "node:stream"
import type { WorkFailed } from "@earmark/service"
import { Effect, type Scope } from "effect"
import { decoderUnavailable } from "./failures.js"
import { pipeIn } from "./pipeIn.js"

/** How a program ended. */
interface Ended {
  readonly code: number | null
  readonly signal: string | null
  /** The first of what it complained about; for the log, never for a client. */
  readonly complaint: string
}

export interface Program {
  readonly output: Readable
  readonly ended: Effect.Effect<Ended>
}

const COMPLAINT = 64 * 1024

const killed = (child: ChildProcess): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    // The group: whatever the program started goes with it.
    process.kill(-child.pid, "SIGKILL")
  } catch {
    child.kill("SIGKILL")
  }
}

interface Started {
  readonly child: ChildProcess
  readonly end: Promise<Ended>
}

/**
 * Starts a program without a shell, in a process group of its own, with an empty environment and nothing to read. Whatever of it is
 * left when the scope ends is killed.
 */
const start = (
  path: string,
  args: ReadonlyArray<string>,
  output: "pipe" | Socket,
): Effect.Effect<Started, WorkFailed, Scope.Scope> =>
  Effect.suspend(() => {
    let complaint = ""
    return Effect.acquireRelease(
      Effect.async<Started, WorkFailed>((resume) => {
        const child = spawn(path, [...args], {
          stdio: ["ignore", output, "pipe"],
          env: { LC_ALL: "C" },
          detached: true,
        })
        // Without a listener Node throws away what is unread when the program has ended.
        child.stdout?.on("readable", () => {})
        child.stderr?.setEncoding("utf8")
        child.stderr?.on("data", (text: string) => {
          if (complaint.length < COMPLAINT) complaint = (complaint + text).slice(0, COMPLAINT)
        })
        const end = new Promise<Ended>((resolve) => {
          child.once("exit", (code, signal) => {
            // What it said last may still be on its way.
            setImmediate(() => resolve({ code, signal, complaint }))
          })
        })
        child.once("spawn", () => resume(Effect.succeed({ child, end })))
        child.once("error", (cause) =>
          resume(
            Effect.fail(
              decoderUnavailable(`A program that decodes media cannot be started: ${cause.message}.`, true),
            ),
          ),
        )
      }),
      ({ child, end }) =>
        Effect.promise(() => {
          killed(child)
          child.stdout?.destroy()
          return end
        }),
    )
  })

/** Runs a program whose output is read as a stream. */
export const runProgram = (
  path: string,
  args: ReadonlyArray<string>,
): Effect.Effect<Program, WorkFailed, Scope.Scope> =>
  Effect.map(start(path, args, "pipe"), ({ child, end }) => ({
    output: child.stdout ?? Readable.from([]),
    ended: Effect.promise(() => end),
  }))

/** Runs a program that writes more than anybody wants to keep: its output is read into the same memory again and again. */
export const runSpring = Effect.fnUntraced(function* (path: string, args: ReadonlyArray<string>) {
  const { writer, closeWriter, ...reading } = yield* pipeIn
  const { end } = yield* start(path, args, writer)
  closeWriter()
  return { ...reading, ended: Effect.promise(() => end) }
})

/** The next bytes that have come, or null at the end. Not read, the program stops by itself: its pipe is full. */
export const readNext = (output: Readable): Effect.Effect<Buffer | null> =>
  Effect.async((resume) => {
    const settle = () => {
      const bytes: unknown = output.read()
      if (Buffer.isBuffer(bytes)) return finish(bytes)
      if (output.readableEnded || output.destroyed || output.errored !== null) return finish(null)
    }
    const finish = (bytes: Buffer | null) => {
      output.off("readable", settle).off("end", settle).off("close", settle).off("error", settle)
      resume(Effect.succeed(bytes))
    }
    output.on("readable", settle).on("end", settle).on("close", settle).on("error", settle)
    settle()
    return Effect.sync(() => {
      output.off("readable", settle).off("end", settle).off("close", settle).off("error", settle)
    })
  })

/** All that a program writes, and how it ended. Null: it wrote more than `most` bytes. */
export const readAll = Effect.fnUntraced(function* ({ output, ended }: Program, most: number) {
  const parts: Array<Buffer> = []
  let bytes = 0
  for (let part = yield* readNext(output); part !== null; part = yield* readNext(output)) {
    bytes += part.length
    if (bytes > most) return null
    parts.push(part)
  }
  return { bytes: Buffer.concat(parts), end: yield* ended }
})
