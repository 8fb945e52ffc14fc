import { createInterface } from "node:readline"
import { Effect } from "effect"
import { type CommandFailed, failed } from "./CommandFailed.js"

const YES = /^\s*y(es)?\s*$/i
const YES_OR_NOTHING = /^(y(es)?)?$/i

/** Whether somebody is there to answer. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY

/** What is typed until the line ends; null when the terminal is let go of. */
const readLine = (question: string): Effect.Effect<string | null> =>
  Effect.async((resume) => {
    const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
    reader.once("close", () => resume(Effect.succeed(null)))
    reader.question(question, (answer) => {
      resume(Effect.succeed(answer))
      reader.close()
    })
    return Effect.sync(() => reader.close())
  })

/** Asks what most people agree to: the enter key alone says yes. */
export const agrees = (question: string): Effect.Effect<boolean> =>
  Effect.map(
    readLine(`? ${question} (Y/n) › `),
    (answer) => answer !== null && YES_OR_NOTHING.test(answer.trim()),
  )

/** Asks once, where somebody can answer: on a terminal. Scripts are not asked. Fails when the answer is no. */
export const requireConsent = Effect.fn("requireConsent")(function* (
  question: string,
  declined: string,
): Effect.fn.Return<void, CommandFailed> {
  if (!canAsk()) return
  if (!YES.test((yield* readLine(`? ${question} (y/N) › `)) ?? "")) return yield* failed(declined)
})
