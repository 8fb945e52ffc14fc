import { fstatSync, writeSync } from "node:fs"
import { answerOf } from "./grammar/answer.js"

const isBrokenPipe = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "EPIPE"

/** Whether a short text was written to a terminal, a pipe or a file. Everything else is left to the program. */
const wrote = (text: string): boolean => {
  try {
    const found = fstatSync(1)
    if (!found.isFile() && !found.isFIFO() && !process.stdout.isTTY) return false
    return writeSync(1, text) === Buffer.byteLength(text)
  } catch (cause) {
    return isBrokenPipe(cause)
  }
}

// Help and the version are there before the framework would be loaded.
const answer = answerOf(process.argv.slice(2), process.env.COLUMNS ?? "")
if (answer === undefined || !wrote(answer)) await import("./program.js")
