import { connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import type { WorkFailed } from "@earmark/service"
import { Effect, type Scope } from "effect"
import { machineFailed, scratchFolder } from "../obtain/scratch.js"

/** The end of a pipe that a program writes into, and ours, which reads into the same memory again and again. */
export interface PipeIn {
  /** For the program: `close` it here once the program has it. */
  readonly writer: Socket
  readonly closeWriter: () => void
  /** The bytes that have come, good until the next call; null at the end. Not read, the writer waits. */
  readonly next: Effect.Effect<Buffer | null>
  /** Whoever waits for bytes waits no more. */
  readonly giveUp: () => void
}

const PIECE = 128 * 1024

/**
 * A pipe whose bytes are read without new memory for each of them: an hour of sound is a quarter of a gigabyte, and a collector lets
 * much of it lie around.
 */
export const pipeIn: Effect.Effect<PipeIn, WorkFailed, Scope.Scope> = Effect.gen(function* () {
  const path = join(yield* scratchFolder, "pipe")
  let filled: Buffer | null = null
  let isOver = false
  let wake: () => void = () => {}
  const opened = Effect.async<{ readonly reader: Socket; readonly writer: Socket }, WorkFailed>((resume) => {
    const fail = (error: Error) => resume(Effect.fail(machineFailed(error)))
    const server = createServer({ pauseOnConnect: true }, (writer) => {
      server.close()
      resume(Effect.succeed({ reader, writer }))
    })
    let reader: Socket
    server.once("error", fail).listen(path, () => {
      reader = connect({
        path,
        onread: {
          buffer: Buffer.allocUnsafeSlow(PIECE),
          callback: (length, memory) => {
            filled = Buffer.from(memory.buffer, memory.byteOffset, length)
            wake()
            return false
          },
        },
      })
      reader.once("error", fail)
    })
  })
  const { reader, writer } = yield* Effect.acquireRelease(opened, ({ reader, writer }) =>
    Effect.sync(() => {
      reader.destroy()
      writer.destroy()
    }),
  )
  const end = () => {
    isOver = true
    wake()
  }
  reader.on("end", end).on("close", end).on("error", end)

  const next = Effect.async<Buffer | null>((resume) => {
    const settle = () => {
      if (filled === null && !isOver) return
      wake = () => {}
      const bytes = filled
      filled = null
      resume(Effect.succeed(bytes))
    }
    wake = settle
    settle()
    if (wake === settle) reader.resume()
    return Effect.sync(() => {
      wake = () => {}
    })
  })
  return { writer, closeWriter: () => writer.destroy(), next, giveUp: end }
})
