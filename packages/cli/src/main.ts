// @effect-diagnostics processEnv:off -- help is printed before Effect would be loaded
import { writeSync } from "node:fs"
import { answerOf } from "./grammar/answer.js"
import { isStandardOutputClosed } from "./isStandardOutputClosed.js"

const isBrokenPipe = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "EPIPE"

/** Whether a short text was written whole. What went wrong is left to the program, which explains it. */
const wrote = (text: string): boolean => {
  try {
    return !isStandardOutputClosed() && writeSync(process.stdout.fd, text) === Buffer.byteLength(text)
  } catch (cause) {
    return isBrokenPipe(cause)
  }
}

// Help and the version are there before the framework would be loaded.
const answer = answerOf(process.argv.slice(2), process.env.COLUMNS ?? "")
if (answer === undefined || !wrote(answer)) await import("./program.js")
