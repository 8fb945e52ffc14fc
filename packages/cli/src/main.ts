// @effect-diagnostics processEnv:off -- help is printed before Effect would be loaded
import { writeSync } from "node:fs"
import { answerOf } from "./grammar/answer.js"
import { isBrokenPipe, isStandardOutputClosed } from "./standardOutput.js"

/** Whether a short text was written. What went wrong before its first byte is left to the program, which explains it. */
const wrote = (text: string): boolean => {
  if (isStandardOutputClosed()) return false
  const bytes = Buffer.from(text)
  let at = 0
  try {
    while (at < bytes.length) at += writeSync(process.stdout.fd, bytes, at)
    return true
  } catch (cause) {
    if (isBrokenPipe(cause)) return true
    // A pipe whose reader is slow: the stream waits for it.
    if (at > 0) process.stdout.write(bytes.subarray(at))
    return at > 0
  }
}

// Help and the version are there before the framework would be loaded.
const answer = answerOf(process.argv.slice(2), process.env.COLUMNS ?? "")
if (answer === undefined || !wrote(answer)) void import("./program.js")
