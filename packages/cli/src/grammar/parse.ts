/** From the words of a command line to what the handler of its command receives. */
import { parseArgs } from "node:util"
import { suggestion } from "@earmark/core/text"
import { Either } from "effect"
import { STANDARD_INPUT } from "../input.js"
import {
  argumentsOf,
  type CommandSpec,
  type Found,
  type Given,
  knownOptions,
  longName,
  namesOf,
  type OptionSpec,
  optionsOf,
} from "./Grammar.js"

/** An option as it was typed. */
interface Typed {
  readonly key: string
  readonly spec: OptionSpec
  /** `-o` or `--output`. */
  readonly as: string
  readonly value: string | undefined
}

interface Words {
  readonly options: ReadonlyArray<Typed>
  readonly positionals: ReadonlyArray<string>
}

const asFile = (word: string): string => (word === "-" ? STANDARD_INPUT : word)

const OPTION = /^--?[a-z]/i

const commandName = ({ path }: Found): string => path.join(" ")

const nameOf = (word: string): string => word.replace(/=.*/s, "")

/** Whether a word is an option of the command, so that it is hardly the value of another one. */
const isOption = (word: string, known: ReadonlyArray<string>): boolean =>
  word.startsWith("-") &&
  (known.includes(nameOf(word)) || (word[1] !== "-" && known.includes(word.slice(0, 2))))

const configOf = (spec: CommandSpec) =>
  Object.fromEntries(
    optionsOf(spec).flatMap(([key, { kind, short, alias }]) => {
      const type = kind === "flag" ? ("boolean" as const) : ("string" as const)
      const own = [longName(key), short === undefined ? { type } : { type, short }] as const
      return alias === undefined ? [own] : [own, [alias, { type }] as const]
    }),
  )

const TRUE = ["true", "yes", "y", "on", "1"]
const FALSE = ["false", "no", "n", "off", "0"]

/** Sorts the words into options and positional arguments; a sentence where that cannot be. */
const sort = (found: Found, words: ReadonlyArray<string>): Either.Either<Words, string> => {
  const known = knownOptions(found)
  const byName = new Map(
    optionsOf(found.spec).flatMap(([key, spec]) =>
      [key, ...namesOf(key, spec)].map((name) => [name, { key, spec }]),
    ),
  )
  const { tokens } = parseArgs({
    args: [...words],
    options: configOf(found.spec),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const options: Array<Typed> = []
  const positionals: Array<string> = []
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "option-terminator") continue
    if (token.kind === "positional") {
      const before = tokens[at - 1]
      const last = options.at(-1)
      // `--json false`: a flag may have its value behind it.
      const isOfFlag =
        before?.kind === "option" &&
        last?.spec.kind === "flag" &&
        last.value === undefined &&
        before.index === token.index - 1
      if (isOfFlag && (token.value === "true" || token.value === "false"))
        options[options.length - 1] = { ...last, value: token.value }
      else positionals.push(asFile(token.value))
      continue
    }
    const word = words[token.index] ?? ""
    const option = byName.get(token.rawName)
    const denied = option === undefined ? byName.get(token.rawName.replace(/^--no-/, "--")) : undefined
    if (denied?.spec.hasDefault === true) {
      options.push({ ...denied, as: token.rawName, value: "false" })
      continue
    }
    if (option === undefined) {
      // A number, and no option.
      if (!OPTION.test(word)) {
        if (tokens[at - 1]?.index !== token.index) positionals.push(word)
        continue
      }
      const name = nameOf(word)
      // Every letter is near every other one.
      const near = name.length > "-x".length ? suggestion(name, known) : ""
      return Either.left(`${commandName(found)} has no option ${name}.${near}`)
    }
    const inline = token.inlineValue === true
    if (
      option.spec.kind !== "flag" &&
      !inline &&
      (token.value === undefined || token.value === "--" || isOption(token.value, known))
    )
      return Either.left(`${token.rawName} needs a value after it.`)
    // `-j=4` is `-j4`.
    const value = inline && word[1] !== "-" ? token.value?.replace(/^=/, "") : token.value
    options.push({ ...option, as: token.rawName, value: value === undefined ? undefined : asFile(value) })
  }
  const twice = options.find(
    ({ key, spec }, at) => spec.repeated !== true && options.findIndex((other) => other.key === key) < at,
  )
  return twice === undefined
    ? Either.right({ options, positionals })
    : Either.left(`--${longName(twice.key)} is given twice. Give it once.`)
}

const INTEGER = /^[+-]?\d+$/

const readOne = ({ spec, as, value = "" }: Typed): Either.Either<unknown, string> => {
  if (spec.kind === "flag") {
    if (value === "" || TRUE.includes(value)) return Either.right(true)
    return FALSE.includes(value)
      ? Either.right(false)
      : Either.left(`${as} takes no value, or true or false, not "${value}".`)
  }
  if (spec.kind === "whole") {
    const number = Number(value)
    return INTEGER.test(value) && Number.isSafeInteger(number)
      ? Either.right(number)
      : Either.left(`${as} needs a whole number, not "${value}".`)
  }
  if (spec.kind === "choice" && spec.choices?.includes(value) !== true) {
    const known = spec.choices ?? []
    return Either.left(`${as} takes one of ${known.join(", ")}, not "${value}".${suggestion(value, known)}`)
  }
  return Either.right(value)
}

/** The value of an option of the table, whether or not it was typed. */
const readOption = (
  name: string,
  key: string,
  spec: OptionSpec,
  all: ReadonlyArray<Typed>,
): Either.Either<unknown, string> => {
  const typed = all.filter((each) => each.key === key)
  const [first] = typed
  const isNeeded = spec.required === true || spec.repeated === true
  const empty = isNeeded ? typed.find(({ value }) => value === "") : undefined
  if (empty !== undefined) return Either.left(`${empty.as} is empty.`)
  if (first === undefined) {
    if (isNeeded) return Either.left(`${name} needs --${longName(key)}.`)
    return Either.right(spec.kind === "flag" && spec.hasDefault !== true ? false : spec.fallback)
  }
  return spec.repeated === true ? Either.right(typed.map(({ value = "" }) => value)) : readOne(first)
}

const readArguments = (
  found: Found,
  positionals: ReadonlyArray<string>,
): Either.Either<Record<string, unknown>, string> => {
  const rest = [...positionals]
  const read: Record<string, unknown> = {}
  for (const [key, { name, count }] of argumentsOf(found.spec)) {
    if ((count === "one" || count === "some") && rest.length === 0)
      return Either.left(`${commandName(found)} needs <${name}>.`)
    read[key] = count === "some" || count === "any" ? rest.splice(0) : rest.shift()
  }
  const [extra] = rest
  return extra === undefined ? Either.right(read) : Either.left(extraWord(found, extra, positionals[0]))
}

/** A word too many may have meant a command below: `feed wach a.xml` is `feed watch`. */
const extraWord = (found: Found, extra: string, first: string | undefined): string => {
  const name = commandName(found)
  const children = Object.keys(found.spec.commands ?? {})
  const near = suggestion(first === undefined || children.includes(extra) ? extra : first, children)
  const hint =
    found.spec.tooMany === undefined ? near.replace("mean ", `mean ${name} `) : ` ${found.spec.tooMany}`
  return `${name} does not take "${extra}".${hint}`
}

/** What the words say, or one sentence about the first thing that is wrong with them. */
export function parse<const Spec extends CommandSpec>(
  path: ReadonlyArray<string>,
  spec: Spec,
  words: ReadonlyArray<string>,
): Either.Either<Given<Spec>, string>
export function parse(
  path: ReadonlyArray<string>,
  spec: CommandSpec,
  words: ReadonlyArray<string>,
): Either.Either<Record<string, unknown>, string> {
  const found = { path, spec }
  const name = commandName(found)
  return Either.gen(function* () {
    const { options, positionals } = yield* sort(found, words)
    const read: Record<string, unknown> = {}
    for (const [key, option] of optionsOf(spec)) read[key] = yield* readOption(name, key, option, options)
    return { ...read, ...(yield* readArguments(found, positionals)) }
  }).pipe(Either.mapLeft((problem) => `${problem} See ${name} --help.`))
}
