/** What every completion script is made from: each command, with what may stand behind it. */
import { descriptionOf, isGroup, type Option, optionsOf, type Page, positionalsOf } from "../help.js"
import { FORMATS } from "../transcribe/readAsked.js"

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
  readonly argument: { readonly name: string; readonly type: "files" | "transcriptions" | "unknown" } | null
}

/** Options whose value is the path of a file or folder. */
const PATHS = ["--output", "--watch", "--from", "--manifest"]

const FILES = ["file", "source", "audio", "folder"]

/** Commands whose ids are those of transcriptions. */
const ABOUT_TRANSCRIPTIONS = /^earmark (?:jobs \w+|export)$/

const typeOf = (command: string, argument: string) => {
  if (FILES.includes(argument)) return "files"
  return argument === "id" && ABOUT_TRANSCRIPTIONS.test(command) ? "transcriptions" : "unknown"
}

const SHELLS = ["bash", "zsh", "fish"]

/** What is said first: a shell has one line for it. */
const brief = (text: string): string => /^.*?(?=[.:;](?: |$)| \(|$)/.exec(text)?.[0] ?? text

const words = (words: ReadonlyArray<string>, several = false): Values => ({ type: "words", words, several })

const valuesOf = ({ names, takesValue, choices }: Option, command: string): Values | null => {
  if (!takesValue) return null
  // Days, not a list.
  if (command === "earmark usage" && names.includes("--from")) return { type: "unknown" }
  if (choices.length > 0) return words(choices)
  if (names.includes("--format")) return words(FORMATS, true)
  if (names.includes("--job")) return { type: "transcriptions" }
  return names.some((name) => PATHS.includes(name)) ? { type: "files" } : { type: "unknown" }
}

const OF_ROOT: ReadonlyArray<DescribedOption> = [
  { names: ["-v", "--version"], text: "Print the version", values: null },
  { names: ["--completions"], text: "Print a completion script for that shell", values: words(SHELLS) },
]

const HELP = { name: "help", text: "List all commands, or tell of one" }

/** Every command of the tree, the root first. */
export const describeAll = (page: Page, above: ReadonlyArray<string> = []): ReadonlyArray<Described> => {
  const path = [...above, page.name]
  const found = { path, page }
  const [first] = positionalsOf(page)
  const own: Described = {
    name: path.join(" "),
    commands: [
      ...page.children.map((child) => ({ name: child.name, text: brief(descriptionOf(child)) })),
      ...(above.length === 0 ? [HELP] : []),
    ],
    options: [
      ...optionsOf(found).map((option) => ({
        names: option.names,
        text: brief(option.text),
        values: valuesOf(option, path.join(" ")),
      })),
      ...(above.length === 0 ? OF_ROOT : []),
    ],
    argument:
      first === undefined || isGroup(page) ? null : { name: first, type: typeOf(path.join(" "), first) },
  }
  return [own, ...page.children.flatMap((child) => describeAll(child, path))]
}

export const namesOf = ({ options }: Described): ReadonlyArray<string> =>
  options.flatMap(({ names }) => names)
