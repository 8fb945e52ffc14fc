import { type Described, IDS, MOST_IDS } from "./described.js"

const quoted = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`

const TRANSCRIPTIONS = quoted("(__earmark_transcriptions)")

const optionLine = (when: string, { names, text, values }: Described["options"][number]): string => {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  const value =
    values === null
      ? ""
      : { files: " -r -F", unknown: " -x", words: "", transcriptions: ` -x -k -a ${TRANSCRIPTIONS}` }[
          values.type
        ] + (values.type === "words" ? ` -x -a ${quoted(values.words.join(" "))}` : "")
  return `complete -c earmark -n ${when} ${flags.join(" ")}${value} -d ${quoted(text)}`
}

const argumentFlags = ({ argument }: Described): ReadonlyArray<string> => {
  switch (argument?.values.type) {
    case "files":
      return ["-F"]
    case "transcriptions":
      return [`-k -a ${TRANSCRIPTIONS}`]
    case "words":
      return [`-a ${quoted(argument.values.words.join(" "))}`]
    default:
      return []
  }
}

const linesOf = (command: Described): ReadonlyArray<string> => {
  const when = quoted(`test (__earmark_command) = "${command.name}"`)
  return [
    ...command.commands.map(
      ({ name, text }) => `complete -c earmark -n ${when} -a ${name} -d ${quoted(text)}`,
    ),
    ...argumentFlags(command).map((flags) => `complete -c earmark -n ${when} ${flags}`),
    ...command.options.map((option) => optionLine(when, option)),
  ]
}

/** A script that completes every command, option and choice, with what they do, and files where they are meant. */
export const fishCompletions = (commands: ReadonlyArray<Described>): string =>
  `# Completions of earmark for fish. Load them with: earmark --completions fish | source
function __earmark_command
  set -l command earmark
  for word in (commandline -opc)[2..]
    switch "$command $word"
      case ${commands
        .slice(1)
        .map(({ name }) => quoted(name))
        .join(" ")}
        set command "$command $word"
      case '*'
        break
    end
  end
  echo $command
end
function __earmark_transcriptions
  set -l state $XDG_STATE_HOME
  string match -q -- '/*' "$state"; or set state $HOME/.local/state
  command ls -r $state/earmark/library 2>/dev/null | sed -n '${IDS}' | string match -- (commandline -ct)'*' | head -n ${MOST_IDS}
end
complete -c earmark -e
complete -c earmark -f
${commands.flatMap(linesOf).join("\n")}
`
