import { createInterface } from "node:readline"
import { Effect } from "effect"
import { type CommandFailed, failed } from "./CommandFailed.js"

const YES = /^\s*y(es)?\s*$/i

/** What is typed until the line ends; nothing when the terminal is let go of. */
const readLine = (question: string): Effect.Effect<string> =>
  Effect.async((resume) => {
    const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
    reader.once("close", () => resume(Effect.succeed("")))
    reader.question(question, (answer) => {
      resume(Effect.succeed(answer))
      reader.close()
    })
    return Effect.sync(() => reader.close())
  })

/** Asks once, where somebody can answer: on a terminal. Scripts are not asked. Fails when the answer is no. */
export const requireConsent = Effect.fn("requireConsent")(function* (
  question: string,
  declined: string,
): Effect.fn.Return<void, CommandFailed> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return
  if (!YES.test(yield* readLine(`? ${question} (y/N) › `))) return yield* failed(declined)
})
