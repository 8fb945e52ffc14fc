import { type Described, IDS, MOST_IDS, type Values } from "./described.js"

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** What stands between brackets ends at the first one that closes. */
const bracketed = (text: string): string => text.replace(/[[\]\\]/g, "\\$&")

const coloned = (text: string): string => text.replace(/[:\\]/g, "\\$&")

const actionOf = (values: Values): string => {
  switch (values.type) {
    case "files":
      return "_files"
    case "transcriptions":
      return "_earmark_transcriptions"
    case "words":
      return values.several ? `_values -s , format ${values.words.join(" ")}` : `(${values.words.join(" ")})`
    case "unknown":
      return " "
  }
}

const optionSpecs = ({ names, text, values }: Described["options"][number]): ReadonlyArray<string> => {
  const others = names.length > 1 ? `(${names.join(" ")})` : ""
  const label = names.at(-1)?.replace(/^-+/, "") ?? ""
  const value = values === null ? "" : `:${label}:${actionOf(values)}`
  return names.map((name) => {
    const sign = values !== null && name.startsWith("--") ? "=" : ""
    return quoted(`${others}${name}${sign}[${bracketed(text)}]${value}`)
  })
}

/** Commands that a command holds beside its argument come first. */
const argumentSpecs = ({ argument, commands, name }: Described): ReadonlyArray<string> => {
  const own = argument === null || argument.values.type === "unknown" ? [] : [actionOf(argument.values)]
  const actions = [...(commands.length > 0 ? [functionOf(name)] : []), ...own]
  if (actions.length === 0) return argument === null ? [] : [quoted(`*:${argument.name}: `)]
  const label = argument?.name ?? "command"
  return [quoted(actions.length === 1 ? `*:${label}:${actions[0]}` : `*:${label}:{ ${actions.join("; ")} }`)]
}

const functionOf = (name: string): string => `_${name.replaceAll(" ", "_")}_commands`

const commandsFunction = ({ name, commands }: Described): ReadonlyArray<string> =>
  commands.length === 0
    ? []
    : [
        `${functionOf(name)}() {
  local -a commands=(
${commands.map((command) => `    ${quoted(`${command.name}:${coloned(command.text)}`)}`).join("\n")}
  )
  _describe command commands
}`,
      ]

const commandCase = (command: Described): string =>
  `  (${quoted(command.name)})
    _arguments -s ${[...command.options.flatMap(optionSpecs), ...argumentSpecs(command)].join(" \\\n      ")};;`

/** A script that completes every command, option and choice, with what they do, and files where they are meant. */
export const zshCompletions = (commands: ReadonlyArray<Described>): string =>
  `#compdef earmark
# Completions of earmark for zsh. Load them, after compinit, with: source <(earmark --completions zsh)
${commands.flatMap(commandsFunction).join("\n")}
_earmark_transcriptions() {
  local state=\${XDG_STATE_HOME-}
  [[ $state == /* ]] || state=$HOME/.local/state
  local -a ids=(\${(f)"$(command ls -r $state/earmark/library 2>/dev/null | sed -n '${IDS}')"})
  ids=(\${(M)ids:#\${(b)PREFIX}*})
  compadd -V transcriptions -- \${ids[1,${MOST_IDS}]}
}
_earmark() {
  local command=earmark
  integer at=1
  while (( at + 1 < CURRENT )); do
    case "$command \${words[at + 1]}" in
    (${commands
      .slice(1)
      .map(({ name }) => quoted(name))
      .join("|")}) command="$command \${words[++at]}";;
    (*) break;;
    esac
  done
  # What leads to the command counts as its name.
  words=("$command" "\${(@)words[at + 1,-1]}")
  (( CURRENT -= at - 1 ))
  case "$command" in
${commands.map(commandCase).join("\n")}
  esac
}
if [[ "\${funcstack[1]}" == _earmark ]]; then _earmark "$@"; else compdef _earmark earmark; fi
`
