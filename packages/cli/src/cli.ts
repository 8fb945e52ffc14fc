import { suggestion } from "@earmark/core/text"
import { Config, Effect } from "effect"
import { CommandFailed, usage } from "./CommandFailed.js"
import { runners } from "./commands/runners.js"
import { answerOf, spelledOut } from "./grammar/answer.js"
import { root } from "./grammar/commands.js"
import {
  argumentsOf,
  beforeEnd,
  COMPLETIONS,
  type Found,
  findCommand,
  knownOptions,
  SHELLS,
  type Shell,
} from "./grammar/Grammar.js"
import { print } from "./output.js"
import { isResume } from "./resume.js"
import { unknownCommand } from "./unknownCommand.js"

const isShell = (name: string): name is Shell => SHELLS.some((shell) => shell === name)

const printCompletions = Effect.fnUntraced(function* (given: string) {
  if (!isShell(given)) {
    const known = `${COMPLETIONS} knows the shells ${SHELLS.join(", ")}`
    const hint = suggestion(given, SHELLS)
    return yield* usage(given === "" ? `${known}: name one of them.` : `${known}, not "${given}".${hint}`)
  }
  const { completionsFor } = yield* Effect.promise(() => import("./completions/completions.js"))
  return yield* print(completionsFor(given))
})

/** `earmark transcribe --resume` stands for the last run in this folder that was stopped. */
const resumed = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  if (!isResume(words)) return words
  const { lastRun } = yield* Effect.promise(() => import("./transcribe/lastRun.js"))
  const last = yield* lastRun
  if (last === null) return words
  return [...last, ...words.slice(1).filter((word) => word !== "--resume" && !last.includes(word))]
})

/** The value of an option of the program itself; empty where it is missing. */
const valueAfter = (words: ReadonlyArray<string>, name: string): string | undefined => {
  const at = words.findIndex((word) => word === name || word.startsWith(`${name}=`))
  const word = words[at]
  if (word === undefined) return undefined
  return word === name ? (words[at + 1] ?? "") : word.slice(name.length + 1)
}

/** How options are called whose fields on the wire have another name. */
const OPTIONS: Readonly<Record<string, string>> = { q: "--query", batch_id: "--batch" }

/** A server names the field of a request that it refuses; people have typed an option, or a word. */
const asTyped = (failure: CommandFailed, found: Found): CommandFailed => {
  const { message, exitCode } = failure
  const field = /^([a-z_]+): .*\[invalid_request\]$/s.exec(message)?.[1]
  if (field === undefined) return failure
  const option = OPTIONS[field] ?? `--${field.replaceAll("_", "-")}`
  const [word] = argumentsOf(found.spec)
  const typed = knownOptions(found).includes(option) || word === undefined ? option : `<${word[1].name}>`
  return new CommandFailed({ message: `${typed}${message.slice(field.length)}`, exitCode })
}

/** A group runs nothing: its next word is wrong, or an option that it does not have. */
const explainGroup = (found: Found, [first = ""]: ReadonlyArray<string>) => {
  if (!first.startsWith("-")) return unknownCommand(found, first)
  const name = found.path.join(" ")
  const option = first.replace(/=.*/s, "")
  return Effect.succeed(
    usage(`${name} has no option ${option}.${suggestion(option, knownOptions(found))} See ${name} --help.`),
  )
}

/** Runs one command line. Fails with a sentence and an exit code, never with a stack. */
export const run = Effect.fnUntraced(function* (argv: ReadonlyArray<string>) {
  const words = spelledOut(yield* resumed(argv.slice(2)))
  const columns = yield* Effect.orElseSucceed(Config.string("COLUMNS"), () => "")
  const answer = answerOf(words, columns)
  if (answer !== undefined) return yield* print(answer)
  const shell = valueAfter(beforeEnd(words), COMPLETIONS)
  if (shell !== undefined) return yield* printCompletions(shell)
  const found = findCommand(root, words)
  const rest = words.slice(found.path.length - 1)
  const runner = runners.get(found.spec)
  if (runner === undefined) return yield* yield* explainGroup(found, rest)
  yield* Effect.mapError(runner(found.path, rest), (failure) => asTyped(failure, found))
})
