import type { HelpDoc, ValidationError } from "@effect/cli"
import { HelpDoc as Doc } from "@effect/cli"
import { type CommandFailed, usage } from "./CommandFailed.js"
import { type Found, optionNames } from "./help.js"

/** How many single edits lead from one word to the other. Both are short: names of options and commands. */
const distance = (left: string, right: string): number => {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const change = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1)
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[right.length] ?? 0
}

const nearest = (given: string, known: ReadonlyArray<string>): string | undefined => {
  const ranked = known
    .map((name) => ({ name, edits: distance(given.slice(0, 40), name) }))
    .sort((left, right) => left.edits - right.edits)
  const best = ranked[0]
  return best !== undefined && best.edits <= Math.max(2, Math.floor(best.name.length / 3))
    ? best.name
    : undefined
}

const didYouMean = (given: string, known: ReadonlyArray<string>): string => {
  const name = nearest(given, known)
  return name === undefined ? "" : ` Did you mean ${name}?`
}

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
    .map((arg) => arg.replace(/=.*$/s, ""))
    .find((name) => !known.includes(name))
}

/** Says in one sentence what is wrong with the command line, and what to do. */
export const explainUsage = (
  error: ValidationError.ValidationError,
  found: Found,
  args: ReadonlyArray<string>,
): CommandFailed => {
  const name = found.path.join(" ")
  const help = ` See ${name} --help.`
  const rest = args.slice(found.path.length - 1)
  const children = found.page.children.map((child) => child.name)
  const [first] = rest
  if (children.length > 0 && (first === undefined || !first.startsWith("-"))) {
    const given = first === undefined ? `${name} needs a command` : `${name} has no command "${first}"`
    return usage(`${given}: it has ${children.join(", ")}.${didYouMean(first ?? "", children)}${help}`)
  }
  const option = unknownOption(found, rest)
  if (option !== undefined)
    return usage(`${name} has no option ${option}.${didYouMean(option, optionNames(found))}${help}`)
  const message = firstFault(error.error)
  const missing = /^Expected (?:to find|at least 1 value\(s\) for) option: '(--[a-z-]+)'/.exec(message)?.[1]
  if (missing !== undefined) return usage(`${name} needs ${missing}.${help}`)
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
  if (extra !== undefined) return usage(`${name} does not take "${extra}".${help}`)
  const number = /^'(.*)' is not a integer$/.exec(message)?.[1]
  if (number !== undefined) return usage(`"${number}" is not a whole number.${help}`)
  return usage(`${message.replace(/\.$/, "")}.${help}`)
}
