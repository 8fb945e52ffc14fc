import type { HelpDoc, ValidationError } from "@effect/cli"
import { HelpDoc as Doc } from "@effect/cli"
import { FileSystem } from "@effect/platform"
import { Effect } from "effect"
import { CommandFailed, usage } from "./CommandFailed.js"
import { commandMeant, didYouMean } from "./didYouMean.js"
import { type Found, isGroup, optionNames, optionsOf, positionalsOf } from "./help.js"

/** The framework lists every fault it met; the first one is the one to mend first. */
const firstFault = (doc: HelpDoc.HelpDoc): string => {
  let first = doc
  while (Doc.isSequence(first)) first = first.left
  return Doc.toAnsiText(first)
    .replace(/\u001b\[[0-9;]*m/g, "")
    .replace(/\s+/g, " ")
    .trim()
}

const unknownOption = (found: Found, args: ReadonlyArray<string>): string | undefined => {
  const known = optionNames(found)
  const end = args.indexOf("--")
  return (end < 0 ? args : args.slice(0, end))
    .filter((arg) => /^--?[a-z]/i.test(arg))
    .map((arg) => arg.replace(/=.*/s, ""))
    .find((name) => !known.includes(name))
}

/** The option at the end that still waits for its value: the framework may take it for a word. */
const withoutValue = (found: Found, args: ReadonlyArray<string>): string | undefined => {
  const last = args.at(-1)
  if (last === undefined || args.includes("--")) return undefined
  return optionsOf(found).some(({ names, takesValue }) => takesValue && names.includes(last))
    ? last
    : undefined
}

/** Options that may stand more than once. */
const REPEATABLE = ["--secret"]

const SHORT: Readonly<Record<string, string>> = {
  "-o": "--output",
  "-f": "--format",
  "-j": "--jobs",
  "--to": "--format",
  "--profile": "--cues",
}

/** An option that stands twice: the framework takes the second one for an argument, or for a missing value. */
const repeatedOption = (found: Found, args: ReadonlyArray<string>): string | undefined => {
  const known = optionNames(found)
  const end = args.indexOf("--")
  const names = (end < 0 ? args : args.slice(0, end))
    .filter((arg) => arg.startsWith("-"))
    .map((arg) => arg.replace(/=.*/s, ""))
    .filter((name) => known.includes(name))
    .map((name) => SHORT[name] ?? name)
  return names.find((name, index) => !REPEATABLE.includes(name) && names.indexOf(name) < index)
}

/** A command that takes any number of words would take an unknown option for one of them, or one that has no value. */
export const refuseUnknownOption = Effect.fn("refuseUnknownOption")(function* (
  found: Found,
  args: ReadonlyArray<string>,
) {
  const rest = args.slice(found.path.length - 1)
  // A group that is followed by a word is told of its commands: see `explainUsage`.
  if (isGroup(found.page) && rest[0]?.startsWith("-") !== true) return
  const waiting = withoutValue(found, rest)
  if (waiting !== undefined)
    return yield* usage(`${waiting} needs a value after it. See ${found.path.join(" ")} --help.`)
  const repeated = repeatedOption(found, rest)
  if (repeated !== undefined)
    return yield* usage(`${repeated} is given twice. Give it once. See ${found.path.join(" ")} --help.`)
  const option = unknownOption(found, rest)
  if (option === undefined) return
  const name = found.path.join(" ")
  const hint = yield* didYouMean(option, optionNames(found))
  return yield* usage(`${name} has no option ${option}.${hint} See ${name} --help.`)
})

/** The option that a value was given for. */
const optionOf = (args: ReadonlyArray<string>, value: string): string | undefined => {
  const joined = args.find((arg) => arg.startsWith("--") && arg.endsWith(`=${value}`))
  return joined?.replace(/=.*/s, "") ?? args.find((arg, at) => arg.startsWith("-") && args[at + 1] === value)
}

/** How options are called whose fields have another name. */
const OPTIONS: Readonly<Record<string, string>> = { q: "--query", batch_id: "--batch" }

/** A service names the field of a request that it refuses; people have typed an option, or a word. */
export const asTyped = (failure: CommandFailed, found: Found): CommandFailed => {
  const { message, exitCode } = failure
  const field = /^([a-z_]+): .*\[invalid_request\]$/s.exec(message)?.[1]
  if (field === undefined) return failure
  const option = OPTIONS[field] ?? `--${field.replaceAll("_", "-")}`
  const [word] = positionalsOf(found.page)
  const typed = optionNames(found).includes(option) || word === undefined ? option : `<${word}>`
  return new CommandFailed({ message: `${typed}${message.slice(field.length)}`, exitCode })
}

/** What people name where a command belongs: an address, a path, or a name with an ending. */
const LIKE_SOURCE = /^https?:\/\/.|[/\\]|\.[a-z][a-z0-9]{1,4}$/i

const isSource = Effect.fnUntraced(function* (given: string) {
  const files = yield* FileSystem.FileSystem
  return LIKE_SOURCE.test(given) || (yield* Effect.orElseSucceed(files.exists(given), () => false))
})

const PLAIN_WORD = /^[\w./:@%+,=~-]+$/

const quotedForShell = (text: string): string =>
  PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** Says in one sentence what is wrong with the command line, and what to do. */
export const explainUsage = Effect.fn("explainUsage")(function* (
  error: ValidationError.ValidationError,
  found: Found,
  args: ReadonlyArray<string>,
) {
  const name = found.path.join(" ")
  const help = ` See ${name} --help.`
  const rest = args.slice(found.path.length - 1)
  const children = found.page.children.map((child) => child.name)
  const [first] = rest
  if (isGroup(found.page) && (first === undefined || !first.startsWith("-"))) {
    if (first === undefined) return usage(`${name} needs a command: it has ${children.join(", ")}.${help}`)
    if (found.path.length === 1 && (yield* isSource(first)))
      return usage(
        `${name} has no command "${first}". To transcribe it: ${name} transcribe ${quotedForShell(first)}`,
      )
    const meant = yield* commandMeant(first, children)
    if (found.path.length === 1)
      return usage(`${name} has no command "${first}".${meant} ${name} help lists them all.`)
    const given = `${name} has no command "${first}"`
    return usage(
      meant === "" ? `${given}: it has ${children.join(", ")}.${help}` : `${given}.${meant}${help}`,
    )
  }
  const message = firstFault(error.error)
  const missing = /^Expected (?:to find|at least 1 value\(s\) for) option: '(--[a-z-]+)'/.exec(message)?.[1]
  if (missing !== undefined) {
    const isEmpty = rest.some((arg, at) => arg === `${missing}=` || (arg === missing && rest[at + 1] === ""))
    return usage(isEmpty ? `${missing} is empty.${help}` : `${name} needs ${missing}.${help}`)
  }
  const last = rest.at(-1)
  if (
    /^Expected a value following option/.test(message) ||
    (last?.startsWith("--") && message.endsWith(`'${last}'`))
  ) {
    return usage(`${last} needs a value after it.${help}`)
  }
  const argument = /^Missing argument <(.+)>$/.exec(message)?.[1]
  if (argument !== undefined) return usage(`${name} needs <${argument}>.${help}`)
  const extra = /^Received unknown argument: '(.*)'$/.exec(message)?.[1]
  if (extra !== undefined) {
    const near = yield* didYouMean(first === undefined || children.includes(extra) ? extra : first, children)
    const hint = near.replace("mean ", `mean ${name} `)
    return usage(`${name} does not take "${extra}".${hint}${help}`)
  }
  const number = /^'(.*)' is not a integer$/.exec(message)?.[1]
  if (number !== undefined) {
    return usage(`${optionOf(rest, number) ?? name} needs a whole number, and "${number}" is none.${help}`)
  }
  const choices = /^Expected one of the following cases: (.*)$/.exec(message)?.[1]
  if (choices !== undefined) {
    const known = choices.split(", ")
    const values = rest.filter((arg, index) => rest[index - 1]?.startsWith("-") && !known.includes(arg))
    const hints = yield* Effect.forEach(values, (value) => didYouMean(value, known))
    const at = Math.max(
      0,
      hints.findIndex((hint) => hint !== ""),
    )
    return usage(`${name} does not know "${values[at] ?? ""}"; it knows ${choices}.${hints[at] ?? ""}${help}`)
  }
  return usage(`${message.replace(/\.$/, "")}.${help}`)
})
