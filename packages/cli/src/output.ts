import { fstatSync, writeSync } from "node:fs"
import { systemReasonOf, writeWholeFile } from "@earmark/batch"
import { Effect } from "effect"
import { type CommandFailed, failed } from "./CommandFailed.js"
import { isBrokenPipe, isStandardOutputClosed } from "./standardOutput.js"

export { printable, printableJson } from "@earmark/batch"

const toStandardOutput = (cause: unknown) => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return failed(`Could not write to standard output: ${systemReasonOf(message)}.`)
}

/** Node's own stream for files loses what does not fit on the disk any more. */
const writesAtOnce = (): boolean => {
  const found = fstatSync(process.stdout.fd)
  return found.isFile() || (found.isCharacterDevice() && !process.stdout.isTTY)
}

const writeAtOnce = (descriptor: number, text: string | Uint8Array) => {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
}

let hasToldOfClosedOutput = false

const tellOfClosedOutput = Effect.suspend(() => {
  if (hasToldOfClosedOutput || !isStandardOutputClosed()) return Effect.void
  hasToldOfClosedOutput = true
  return note("Standard output is closed: what belongs there is lost.")
})

/** Data goes to standard output, and nothing else does. Waits until the text is handed over. */
export const print = (text: string | Uint8Array): Effect.Effect<void, CommandFailed> =>
  Effect.zipRight(tellOfClosedOutput, handOver(text))

const handOver = (text: string | Uint8Array): Effect.Effect<void, CommandFailed> =>
  writesAtOnce()
    ? Effect.try({ try: () => writeAtOnce(process.stdout.fd, text), catch: toStandardOutput })
    : Effect.async((resume) => {
        process.stdout.write(text, (error) => {
          // A reader that went away ends the command quietly: see main.
          if (isBrokenPipe(error)) return
          resume(error ? Effect.fail(toStandardOutput(error)) : Effect.void)
        })
      })

/** What people should know, beside the data. */
export const note = (text: string): Effect.Effect<void> =>
  Effect.async((resume) => {
    process.stderr.write(`${text}\n`, () => resume(Effect.void))
  })

/** Writes a whole file or none. */
export const writeFile = (path: string, chunks: Iterable<string | Uint8Array>) =>
  Effect.mapError(writeWholeFile(path, chunks), ({ message }) => failed(message))
