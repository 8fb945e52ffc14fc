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
  /** The next piece, full but for the last, and good until the next call; null at the end. Not read, the writer waits. */
  readonly next: Effect.Effect<Buffer | null>
  /** How many bytes have ever come: who waits for a piece sees by them that the writer is at work. */
  readonly arrived: () => number
  /** Whoever waits for bytes waits no more. */
  readonly giveUp: () => void
}

const PIECE = 512 * 1024

/**
 * A pipe whose bytes are read without new memory for each of them: an hour of sound is a quarter of a gigabyte, and a collector lets
 * much of it lie around. A reader is woken for whole pieces alone: what each awakening leaves behind is collected late as well.
 */
export const pipeIn: Effect.Effect<PipeIn, WorkFailed, Scope.Scope> = Effect.gen(function* () {
  const path = join(yield* scratchFolder, "pipe")
  const memory = Buffer.allocUnsafeSlow(PIECE)
  let filled = 0
  let arrived = 0
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
          // Asked for after each callback: behind what is there, and from the beginning once that is taken.
          buffer: () => memory.subarray(filled % PIECE),
          callback: (length) => {
            filled += length
            arrived += length
            if (filled < PIECE) return true
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
      if (filled < PIECE && !isOver) return
      wake = () => {}
      const bytes = filled === 0 ? null : memory.subarray(0, filled)
      filled = 0
      resume(Effect.succeed(bytes))
    }
    wake = settle
    settle()
    if (wake === settle) reader.resume()
  })
  return { writer, closeWriter: () => writer.destroy(), next, arrived: () => arrived, giveUp: end }
})
