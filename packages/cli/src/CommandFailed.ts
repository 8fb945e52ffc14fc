import { Data } from "effect"

/** What every command fails with: one sentence for people (what happened, what to do) and the exit code for scripts. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly message: string
  readonly exitCode: 1 | 2 | 3
  /** Where a service or the library has one for it. */
  readonly code?: string
}> {}

/** What was asked for could not be done. */
export const failed = (message: string): CommandFailed => new CommandFailed({ message, exitCode: 1 })

/** The command line itself is wrong. */
export const usage = (message: string): CommandFailed => new CommandFailed({ message, exitCode: 2 })

/** The same with a code, which scripts find at the end of the sentence. */
export const withCode = ({ message, exitCode }: CommandFailed, code: string): CommandFailed =>
  new CommandFailed({ message: `${message} [${code}]`, exitCode, code })
