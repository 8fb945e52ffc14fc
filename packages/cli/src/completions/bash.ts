import { type Described, IDS, MOST_IDS, namesOf } from "./described.js"

const wordsOf = (words: ReadonlyArray<string>) => `COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$word"))`

/** Several with commas between: the last one is completed. */
const someOf = (words: ReadonlyArray<string>) =>
  `COMPREPLY=($(compgen -P "\${word%"\${word##*,}"}" -W "${words.join(" ")}" -- "\${word##*,}"))`

const ACTIONS = { files: "_earmark_files; ", transcriptions: "_earmark_transcriptions; " }

const actionOf = ({ argument }: Described): string => {
  if (argument === null || argument.values.type === "unknown") return ""
  const { values } = argument
  const action = values.type === "words" ? wordsOf(values.words) : ACTIONS[values.type].replace("; ", "")
  return `\n    ${action}`
}

const valueCase = ({ names, values }: Described["options"][number]): string | null => {
  if (values === null) return null
  const then = { words: "", unknown: "", ...ACTIONS }[values.type]
  const answer = values.type === "words" ? `${(values.several ? someOf : wordsOf)(values.words)}; ` : then
  return `    ${names.join("|")}) ${answer}return;;`
}

const commandCase = (command: Described): string => {
  const values = command.options.map(valueCase).filter((line) => line !== null)
  const inner = values.length === 0 ? "" : `\n    case "$before" in\n${values.join("\n")}\n    esac`
  const commands = command.commands.map(({ name }) => name)
  return `  "${command.name}")${inner}
    case "$word" in
    -*) ${wordsOf(namesOf(command))}; return;;
    esac
    ${wordsOf(commands)}${actionOf(command)};;`
}

/** A script that completes every command, option and choice, and files where they are meant. */
export const bashCompletions = (commands: ReadonlyArray<Described>): string =>
  `# Completions of earmark for bash. Load them with: source <(earmark --completions bash)
_earmark_files() {
  local IFS=$'\\n'
  COMPREPLY+=($(compgen -f -- "$word"))
  compopt -o filenames 2>/dev/null
}
_earmark_transcriptions() {
  local state="\${XDG_STATE_HOME-}"
  [[ $state == /* ]] || state="$HOME/.local/state"
  COMPREPLY+=($(compgen -W "$(command ls -r "$state/earmark/library" 2>/dev/null | sed -n '${IDS}')" -- "$word" | head -n ${MOST_IDS}))
}
_earmark() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command=earmark part
  COMPREPLY=()
  # --option=value comes as three words.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for part in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command $part" in
    ${commands
      .slice(1)
      .map(({ name }) => `"${name}"`)
      .join("|")}) command="$command $part";;
    *) break;;
    esac
  done
  case "$command" in
${commands.map(commandCase).join("\n")}
  esac
}
complete -F _earmark earmark
`
