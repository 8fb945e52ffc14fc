/** Completion scripts: that for bash made from the commands themselves, those for zsh and fish by the framework. */

import { FEED_WATCH } from "./commands/feedWatch.js"
import { isGroup, type Option, optionsOf, type Page } from "./help.js"
import { FORMATS } from "./transcribe/readAsked.js"

interface Command {
  /** The names that lead to it, without the first. */
  readonly path: ReadonlyArray<string>
  readonly page: Page
  readonly options: ReadonlyArray<Option>
}

const commandsOf = (page: Page, path: ReadonlyArray<string> = []): ReadonlyArray<Command> => [
  { path, page, options: optionsOf({ path: ["earmark", ...path], page }) },
  ...page.children.flatMap((child) => commandsOf(child, [...path, child.name])),
]

const namesOf = ({ options, path }: Command): ReadonlyArray<string> => [
  ...options.flatMap(({ names }) => names),
  ...(path.length === 0 ? ["-v", "--version", "--completions"] : []),
]

const childrenOf = ({ page }: Command): ReadonlyArray<string> => page.children.map(({ name }) => name)

/** Options whose value is the path of a file or folder. */
const PATHS = ["--output", "-o", "--watch", "--from", "--manifest", "--file", "--body"]

const keyOf = ({ path }: Command): string => ["earmark", ...path].join(" ")

/** The values of an option, where there are few; files where it names one; nothing that can be told otherwise. */
const valueCase = (option: Option): string | null => {
  const names = option.names.join("|")
  if (option.names.includes("--format"))
    return `    ${names}) COMPREPLY=($(compgen -W "${FORMATS.join(" ")}" -- "$word")); return;;`
  if (option.choices.length > 0)
    return `    ${names}) COMPREPLY=($(compgen -W "${option.choices.join(" ")}" -- "$word")); return;;`
  if (option.names.some((name) => PATHS.includes(name))) return `    ${names}) _earmark_files; return;;`
  return option.takesValue ? `    ${names}) return;;` : null
}

const bashCase = (command: Command): string => {
  const values = command.options.map(valueCase).filter((line) => line !== null)
  const words = [...namesOf(command), ...childrenOf(command)].join(" ")
  const inner = values.length === 0 ? "" : `\n    case "$before" in\n${values.join("\n")}\n    esac`
  const files = isGroup(command.page) || command.path.length === 0 ? "" : "\n    _earmark_files"
  return `  "${keyOf(command)}")${inner}
    case "$word" in
    -*) COMPREPLY=($(compgen -W "${namesOf(command).join(" ")}" -- "$word")); return;;
    esac
    COMPREPLY=($(compgen -W "${childrenOf(command).join(" ") || (files === "" ? words : "")}" -- "$word"))${files};;`
}

/** A script that completes every command, option and choice of the tree, and files where they are meant. */
export const bashCompletions = (root: Page): string => {
  const commands = commandsOf(root)
  return `# Completions of earmark for bash. Load them with: source <(earmark --completions bash)
_earmark_files() {
  local IFS=$'\\n'
  COMPREPLY+=($(compgen -f -- "$word"))
  compopt -o filenames 2>/dev/null
}
_earmark() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path=earmark part
  COMPREPLY=()
  for part in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $part" in
    ${commands
      .slice(1)
      .map((command) => `"${keyOf(command)}"`)
      .join("|")}) path="$path $part";;
    esac
  done
  case "$path" in
${commands.map(bashCase).join("\n")}
  esac
}
complete -F _earmark earmark
`
}

/** Options of the framework that are not offered, each on a line of its own. */
const NOT_OFFERED_LINE = /^(?:\s*'--|complete .* -l )(?:wizard|log-level)\b.*\n/gm

/** In fish, words of a line are known by what stands before them. */
const FISH_INNER = `__fish_seen_subcommand_from ${FEED_WATCH}"`
const FISH_WATCH = '__fish_seen_subcommand_from feed; and __fish_seen_subcommand_from watch"'
const FISH_OFFERED =
  'complete -c earmark -n "__fish_seen_subcommand_from feed; and not __fish_seen_subcommand_from watch" -a "watch"\n'

/** In zsh, each command has a part of a choice. */
const ZSH_PART = new RegExp(`^ *\\(${FEED_WATCH}\\)\\n[\\s\\S]*?;;\\n`, "gm")

const INNER_NAME = new RegExp(`^.*['"]${FEED_WATCH}\\b.*\\n`, "gm")

/** A script of the framework with the commands and options as people write them. */
export const asPeopleWrite = (script: string): string => {
  const watched = script.replaceAll(FISH_INNER, FISH_WATCH)
  return watched
    .replace(ZSH_PART, "")
    .replace(NOT_OFFERED_LINE, "")
    .replace(INNER_NAME, "")
    .concat(watched === script ? "" : FISH_OFFERED)
}
