import { createInterface } from "node:readline"
import { Effect } from "effect"
import { type CommandFailed, failed } from "./CommandFailed.js"

const YES = /^\s*y(es)?\s*$/i
const YES_OR_NOTHING = /^(y(es)?)?$/i

/** Whether somebody is there to answer. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY

/** Asks one question after the other: what is typed until the line ends, or null when the terminal is let go of. */
export const dialogue = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => createInterface({ input: process.stdin, terminal: false })),
    (reader) => Effect.sync(() => reader.close()),
  ),
  (reader) => {
    const lines = reader[Symbol.asyncIterator]()
    return (question: string): Effect.Effect<string | null> =>
      Effect.zipRight(
        Effect.sync(() => process.stderr.write(question)),
        Effect.map(
          Effect.promise(() => lines.next()),
          ({ done, value }) => (done === true ? null : value),
        ),
      )
  },
)

const readLine = (question: string) => Effect.scoped(Effect.flatMap(dialogue, (askFor) => askFor(question)))

export const isYes = (answer: string | null): boolean => answer !== null && YES_OR_NOTHING.test(answer.trim())

/** Asks what most people agree to: the enter key alone says yes. */
export const agrees = (question: string): Effect.Effect<boolean> =>
  Effect.map(readLine(`? ${question} (Y/n) › `), isYes)

/** Asks once, where somebody can answer: on a terminal. Scripts are not asked. Fails when the answer is no. */
export const requireConsent = Effect.fn("requireConsent")(function* (
  question: string,
  declined: string,
): Effect.fn.Return<void, CommandFailed> {
  if (!canAsk()) return
  if (!YES.test((yield* readLine(`? ${question} (y/N) › `)) ?? "")) return yield* failed(declined)
})

const CTRL_C = "\u0003"
const CTRL_D = "\u0004"
const BACKSPACES = ["\b", "\u007f"]

/** Asks for something that nobody is to read over the shoulder: what is typed on the terminal is not shown. Empty where it ends early. */
export const readSecret = (question: string): Effect.Effect<string> =>
  Effect.async((resume) => {
    const { stdin, stderr } = process
    let typed: ReadonlyArray<string> = []
    const end = () => {
      stdin.off("data", onData)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write("\n")
    }
    const onData = (data: Buffer) => {
      for (const letter of data.toString("utf8")) {
        if (letter === "\r" || letter === "\n" || letter === CTRL_D) {
          end()
          return resume(Effect.succeed(letter === CTRL_D ? "" : typed.join("")))
        }
        if (letter === CTRL_C) {
          end()
          // As the terminal does when it is not read letter by letter.
          process.kill(process.pid, "SIGINT")
          return
        }
        typed = BACKSPACES.includes(letter) ? typed.slice(0, -1) : [...typed, letter]
      }
    }
    stderr.write(question)
    stdin.setRawMode(true)
    stdin.on("data", onData)
    return Effect.sync(end)
  })
