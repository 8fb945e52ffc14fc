import {
  type ArgumentSpec,
  argumentsOf,
  type CommandSpec,
  type Found,
  isGroup,
  longName,
  type OptionSpec,
  sectionsOf,
} from "./Grammar.js"

type Row = readonly [name: string, text: string]

const WIDEST_NAME = 40

const NARROWEST = 40

/** Lines of at most `width` characters, broken at blanks and after the bars of a list of choices. */
const folded = (text: string, width: number, indent = ""): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const part of text.split(/(?<=[| ])/)) {
    const last = lines.at(-1)
    if (last === undefined || (last + part).trimEnd().length > width)
      lines.push(lines.length === 0 ? part : `${indent}${part}`)
    else lines[lines.length - 1] = last + part
  }
  return lines.map((line) => line.trimEnd())
}

const widthOf = (rows: ReadonlyArray<Row>, columns: number): number => {
  const widest = Math.min(WIDEST_NAME, Math.floor(columns / 2) - 4)
  return Math.max(0, ...rows.map(([name]) => name.length).filter((width) => width <= widest))
}

const table = (
  rows: ReadonlyArray<Row>,
  columns: number,
  width = widthOf(rows, columns),
): ReadonlyArray<string> =>
  rows.flatMap(([name, text]) => {
    const [first = "", ...others] = folded(text, columns - width - 4)
    const below = others.map((line) => `  ${"".padEnd(width)}  ${line}`)
    return name.length <= width
      ? [`  ${name.padEnd(width)}  ${first}`.trimEnd(), ...below]
      : [
          ...folded(name, columns - 2, "    ").map((line) => `  ${line}`),
          `  ${"".padEnd(width)}  ${first}`.trimEnd(),
          ...below,
        ]
  })

const block = (title: string, lines: ReadonlyArray<string>) =>
  lines.length === 0 ? [] : ["", `${title}:`, ...lines]

const DEFAULT_COLUMNS = 80

/** The width that a terminal tells (COLUMNS), else 80. */
const columnsOf = (told: string): number => {
  const columns = Number(told)
  return Number.isInteger(columns) && columns > 0 ? Math.max(NARROWEST, columns) : DEFAULT_COLUMNS
}

const valueLabel = ({ kind, choices, value }: OptionSpec): string => {
  if (kind === "flag") return ""
  return ` ${choices?.join("|") ?? value ?? (kind === "whole" ? "N" : "TEXT")}`
}

const optionRow = ([key, spec]: readonly [string, OptionSpec]): Row => [
  `${spec.short === undefined ? "" : `-${spec.short}, `}--${longName(key)}${valueLabel(spec)}`,
  spec.text,
]

const argumentLabel = ({ name, count }: ArgumentSpec): string => {
  const label = `<${name}>${count === "some" || count === "any" ? "..." : ""}`
  return count === "optional" || count === "any" ? `[${label}]` : label
}

const OF_PROGRAM: ReadonlyArray<Row> = [
  ["-h, --help", "Print this help; earmark help COMMAND prints that of a command"],
  ["-v, --version", "Print the version"],
  [
    "--completions bash|zsh|fish",
    "Print a completion script for that shell, such as for ~/.bashrc: source <(earmark --completions bash). docs/tutorials/first-steps.md has the others",
  ],
]

const OF_COMMAND: ReadonlyArray<Row> = [["-h, --help", "Print this help"]]

/** What the list of commands says of one. */
export const briefOf = ({ brief, text }: CommandSpec): string => brief ?? text

/** The whole help page of a command, as plain text in lines that fit the columns that the terminal tells. */
export const helpText = ({ path, spec }: Found, told: string): string => {
  const columns = columnsOf(told)
  const given = sectionsOf(spec).map(([title, each]) => [title, each.map(optionRow)] as const)
  const ofAll = path.length === 1 ? OF_PROGRAM : OF_COMMAND
  const sections = given.map(
    ([title, rows], at) => [title, at === given.length - 1 ? [...rows, ...ofAll] : rows] as const,
  )
  const width = widthOf(
    sections.flatMap(([, rows]) => rows),
    columns,
  )
  const positional = argumentsOf(spec).map(([, each]): Row => [argumentLabel(each), each.text])
  const commands = Object.entries(spec.commands ?? {}).map(([name, child]): Row => [name, briefOf(child)])
  const usage = [
    path.join(" "),
    ...(isGroup(spec) ? ["COMMAND"] : []),
    ...(given.some(([, rows]) => rows.length > 0) ? ["[options]"] : []),
    ...positional.map(([argument]) => argument),
  ].join(" ")
  return [
    ...folded(spec.text, columns),
    "",
    `Usage: ${usage}`,
    ...block("Commands", table(commands, columns)),
    ...block("Arguments", table(positional, columns)),
    ...sections.flatMap(([title, rows]) => block(title, table(rows, columns, width))),
    ...block(
      "Examples",
      spec.examples.map((line) => `  ${line}`),
    ),
    "",
  ].join("\n")
}
