/** What the table of commands is written in. Help and completions read it too, so nothing here imports effect. */
/** What completes a value in a shell: files, ids of the local library, ids of models, or words with commas between. */
export type Completes = "files" | "transcriptions" | "models" | ReadonlyArray<string>

interface OptionFacts {
  /** The one letter of its short form. */
  readonly short?: string
  /** An older long name. It works, and help does not show it. */
  readonly alias?: string
  /** What help calls the value. */
  readonly value?: string
  readonly completes?: Completes
  readonly required?: true
  /** May stand several times, and must stand once. */
  readonly repeated?: true
  readonly fallback?: string | number
  /** Of a flag that a file of defaults can set: it is told whether it was typed, and `--no-` in front takes it back. */
  readonly hasDefault?: true
}

/** An option. Its long name is its key in the table, with hyphens: `wordLevel` is `--word-level`. */
export interface OptionSpec extends OptionFacts {
  readonly kind: "flag" | "text" | "whole" | "choice"
  readonly text: string
  readonly choices?: ReadonlyArray<string>
}

/** A word without a hyphen in front. Words are matched in the order of the table. */
export interface ArgumentSpec {
  readonly kind: "argument"
  readonly name: string
  readonly count: "one" | "optional" | "some" | "any"
  readonly text: string
  readonly completes?: Completes
}

type Takes = Readonly<Record<string, OptionSpec | ArgumentSpec>>

export interface CommandSpec {
  readonly text: string
  /** Shorter, for the list of commands. */
  readonly brief?: string
  /** Undefined for a group, which only holds other commands. */
  readonly takes?: Takes
  /** Options under headings, where there are many: the keys of each. Those that stand in none come last. */
  readonly sections?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly examples: ReadonlyArray<string>
  /** What helps whoever gives more words than it takes. */
  readonly tooMany?: string
  readonly commands?: Readonly<Record<string, CommandSpec>>
}

type Single<Spec> = Spec extends { readonly choices: ReadonlyArray<infer Choice> }
  ? Choice
  : Spec extends { readonly kind: "whole" }
    ? number
    : string

type OptionValue<Spec> = Spec extends { readonly kind: "flag" }
  ? Spec extends { readonly hasDefault: true }
    ? boolean | undefined
    : boolean
  : Spec extends { readonly repeated: true }
    ? ReadonlyArray<string>
    : Spec extends { readonly required: true } | { readonly fallback: string | number }
      ? Single<Spec>
      : Single<Spec> | undefined

type ArgumentValue<Count> = Count extends "one"
  ? string
  : Count extends "optional"
    ? string | undefined
    : ReadonlyArray<string>

/** What the handler of a command receives. */
export type Given<Spec extends CommandSpec> = {
  readonly [Name in keyof Spec["takes"]]: Spec["takes"][Name] extends {
    readonly kind: "argument"
    readonly count: infer Count
  }
    ? ArgumentValue<Count>
    : OptionValue<Spec["takes"][Name]>
}

type NoFacts = Record<never, never>

export const flag = <const Facts extends { readonly short?: string; readonly hasDefault?: true } = NoFacts>(
  text: string,
  facts?: Facts,
) => Object.assign({ kind: "flag", text } as const, facts)

export const text = <const Facts extends OptionFacts = NoFacts>(text: string, facts?: Facts) =>
  Object.assign({ kind: "text", text } as const, facts)

/** A whole number. */
export const whole = <const Facts extends OptionFacts = NoFacts>(text: string, facts?: Facts) =>
  Object.assign({ kind: "whole", text } as const, facts)

/** One of a few words. */
export const choice = <const Choice extends string, const Facts extends OptionFacts = NoFacts>(
  choices: ReadonlyArray<Choice>,
  text: string,
  facts?: Facts,
  // Without facts none are inferred from where the option stands.
): {
  readonly kind: "choice"
  readonly choices: ReadonlyArray<Choice>
  readonly text: string
} & NoInfer<Facts> => Object.assign({ kind: "choice", choices, text } as const, facts)

export const argument = <const Count extends ArgumentSpec["count"]>(
  name: string,
  count: Count,
  text: string,
  facts: Pick<ArgumentSpec, "completes"> = {},
) => ({ kind: "argument", name, count, text, ...facts }) as const

export const command = <const Spec extends CommandSpec>(spec: Spec): Spec => spec

/** `wordLevel` as it is typed: `word-level`. */
export const longName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export const optionsOf = ({ takes = {} }: CommandSpec): ReadonlyArray<readonly [string, OptionSpec]> =>
  Object.entries(takes).flatMap(([key, spec]) => (spec.kind === "argument" ? [] : [[key, spec] as const]))

/** Options under the headings that they have in help. */
export const sectionsOf = (
  spec: CommandSpec,
): ReadonlyArray<readonly [string, ReadonlyArray<readonly [string, OptionSpec]>]> => {
  const options = optionsOf(spec)
  if (spec.sections === undefined) return [["Options", options]]
  const named = Object.entries(spec.sections).map(
    ([title, keys]) => [title, options.filter(([key]) => keys.includes(key))] as const,
  )
  const placed = Object.values(spec.sections).flat()
  return [...named, ["Other options", options.filter(([key]) => !placed.includes(key))]]
}

export const argumentsOf = ({ takes = {} }: CommandSpec): ReadonlyArray<readonly [string, ArgumentSpec]> =>
  Object.entries(takes).flatMap(([key, spec]) => (spec.kind === "argument" ? [[key, spec] as const] : []))

/** Every name of an option, the short one first and the long one last. */
export const namesOf = (key: string, { short, alias }: OptionSpec): ReadonlyArray<string> => [
  ...(short === undefined ? [] : [`-${short}`]),
  ...(alias === undefined ? [] : [`--${alias}`]),
  `--${longName(key)}`,
]

export const isGroup = ({ takes }: CommandSpec): boolean => takes === undefined

/** A command that was named on the command line, with the names that lead to it. */
export interface Found {
  readonly path: ReadonlyArray<string>
  readonly spec: CommandSpec
}

/** The deepest command that the words name. */
export const findCommand = (root: CommandSpec, words: ReadonlyArray<string>): Found => {
  let found: Found = { path: ["earmark"], spec: root }
  for (const word of words) {
    const { commands = {} } = found.spec
    const spec = Object.hasOwn(commands, word) ? commands[word] : undefined
    if (spec === undefined) break
    found = { path: [...found.path, word], spec }
  }
  return found
}

/** The words that can be options: those in front of `--`. */
export const beforeEnd = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = words.indexOf("--")
  return end < 0 ? words : words.slice(0, end)
}

/** Options that stand beside those of every command, and of the program alone. */
export const HELP_NAMES = ["--help", "-h"]
export const VERSION_NAMES = ["--version", "-v"]
export const COMPLETIONS = "--completions"

export const SHELLS = ["bash", "zsh", "fish"] as const
export type Shell = (typeof SHELLS)[number]

/** What an option that is not known may have meant. */
export const knownOptions = ({ path, spec }: Found): ReadonlyArray<string> => [
  ...optionsOf(spec).flatMap(([key, option]) => namesOf(key, option)),
  ...HELP_NAMES,
  ...VERSION_NAMES,
  ...(path.length === 1 ? [COMPLETIONS] : []),
]
