/** What is answered without doing anything: help, and the version. */
import { root, VERSION } from "./commands.js"
import { beforeEnd, findCommand, HELP_NAMES, isGroup, VERSION_NAMES } from "./Grammar.js"
import { helpText } from "./help.js"

/**
 * `earmark help captions` and `earmark --help captions` are `earmark captions --help`. Words that name no command are left out: a
 * request for help runs nothing. Only a mistyped command stays, for the error that says which one was meant.
 */
export const spelledOut = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first = "", ...rest] = words
  // The flag may stand before the command that it is about.
  if (first !== "help" && !HELP_NAMES.includes(first)) return words
  const names = findCommand(root, rest).path.slice(1)
  const [word = "help"] = rest
  const isMistyped = first === "help" && names.length === 0 && word !== "help" && !word.startsWith("-")
  return isMistyped ? [word] : [...names, "--help"]
}

/** The text to print, or undefined where a command is to be run. Help comes first; a group named alone shows its own. */
export const answerOf = (words: ReadonlyArray<string>, columns: string): string | undefined => {
  const spelled = spelledOut(words)
  const found = findCommand(root, spelled)
  const flags = beforeEnd(spelled)
  const isGroupAlone = spelled.length === found.path.length - 1 && isGroup(found.spec)
  if (isGroupAlone || flags.some((flag) => HELP_NAMES.includes(flag))) return helpText(found, columns)
  // The script is long: who prints it waits for a slow reader.
  if (flags.some((flag) => flag.startsWith("--completions"))) return undefined
  return flags.some((flag) => VERSION_NAMES.includes(flag)) ? `${VERSION}\n` : undefined
}
