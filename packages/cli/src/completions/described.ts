/** What every completion script is made from: each command, with what may stand behind it. */
import { root } from "../grammar/commands.js"
import {
  argumentsOf,
  COMPLETIONS,
  type CommandSpec,
  type Completes,
  namesOf as namesOfOption,
  type OptionSpec,
  optionsOf,
  SHELLS,
} from "../grammar/Grammar.js"
import { briefOf } from "../grammar/help.js"

/** What completes a value: some words, words with commas between, files, what the library of this machine keeps, or nothing that a shell knows. */
export type Values =
  | { readonly type: "words"; readonly words: ReadonlyArray<string>; readonly several: boolean }
  | { readonly type: "files" }
  | { readonly type: "transcriptions" }
  | { readonly type: "unknown" }

interface DescribedOption {
  /** The short one first, where there is one. */
  readonly names: ReadonlyArray<string>
  readonly text: string
  /** Null: it takes none. */
  readonly values: Values | null
}

/** From the names in the library, newest first, to ids: for sed. */
export const IDS = "s/^[0-9]*-\\(tr_[0-9a-z]*\\)\\.[a-z]*\\.json$/\\1/p"

/** More would not be looked at. */
export const MOST_IDS = 50

export interface Described {
  /** The names that lead to it: `earmark feed watch`. */
  readonly name: string
  readonly commands: ReadonlyArray<{ readonly name: string; readonly text: string }>
  readonly options: ReadonlyArray<DescribedOption>
  /** What it is about; null: nothing, or only commands. */
  readonly argument: { readonly name: string; readonly values: Values } | null
}

/** What is said first: a shell has one line for it. */
const brief = (text: string): string => /^.*?(?=[.:;](?: |$)| \(| \[|$)/.exec(text)?.[0] ?? text

const words = (words: ReadonlyArray<string>, several = false): Values => ({ type: "words", words, several })

/** The ids of the models that can be pulled. */
export type ModelIds = ReadonlyArray<string>

const completedBy = (completes: Completes | undefined, models: ModelIds): Values => {
  if (completes === "files" || completes === "transcriptions") return { type: completes }
  if (completes === "models") return words(models)
  return completes === undefined ? { type: "unknown" } : words(completes, true)
}

const valuesOf = ({ kind, choices, completes }: OptionSpec, models: ModelIds): Values | null => {
  if (kind === "flag") return null
  return choices === undefined ? completedBy(completes, models) : words(choices)
}

const HELP_OPTION: DescribedOption = { names: ["-h", "--help"], text: "Print help", values: null }

const OF_ROOT: ReadonlyArray<DescribedOption> = [
  { names: ["-v", "--version"], text: "Print the version", values: null },
  { names: [COMPLETIONS], text: "Print a completion script for that shell", values: words(SHELLS) },
]

const HELP = { name: "help", text: "List all commands, or print the help of one" }

const describe = (
  path: ReadonlyArray<string>,
  spec: CommandSpec,
  models: ModelIds,
): ReadonlyArray<Described> => {
  const children = Object.entries(spec.commands ?? {})
  const isRoot = path.length === 1
  const all = argumentsOf(spec)
  // A shell knows nothing of a question; of the id behind it, it does.
  const first = all.find(([, { completes }]) => completes !== undefined) ?? all[0]
  const own: Described = {
    name: path.join(" "),
    commands: [
      ...children.map(([name, child]) => ({ name, text: brief(briefOf(child)) })),
      ...(isRoot ? [HELP] : []),
    ],
    options: [
      ...optionsOf(spec).map(([key, option]) => ({
        names: namesOfOption(key, option),
        text: brief(option.text),
        values: valuesOf(option, models),
      })),
      HELP_OPTION,
      ...(isRoot ? OF_ROOT : []),
    ],
    argument:
      first === undefined ? null : { name: first[1].name, values: completedBy(first[1].completes, models) },
  }
  return [own, ...children.flatMap(([name, child]) => describe([...path, name], child, models))]
}

/** Every command of the table, the root first. */
export const describeAll = (models: ModelIds): ReadonlyArray<Described> => describe(["earmark"], root, models)

export const namesOf = ({ options }: Described): ReadonlyArray<string> =>
  options.flatMap(({ names }) => names)
