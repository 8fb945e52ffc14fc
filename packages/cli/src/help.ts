import { CliConfig, CommandDescriptor, HelpDoc, type Span } from "@effect/cli"

/** What the help knows of a command beside what its definition says. */
export interface Page {
  readonly name: string
  readonly descriptor: CommandDescriptor.Command<unknown>
  readonly examples: ReadonlyArray<string>
  readonly children: ReadonlyArray<Page>
  /** It does something by itself, and has commands below it too. */
  readonly takesArguments?: boolean
}

/** Whether it only holds other commands. */
export const isGroup = ({ children, takesArguments }: Page): boolean =>
  children.length > 0 && takesArguments !== true

/** A command that was named on the command line, with the names that lead to it. */
export interface Found {
  readonly path: ReadonlyArray<string>
  readonly page: Page
}

const config = CliConfig.make({ showBuiltIns: false })

const plain = (span: Span.Span): string => {
  switch (span._tag) {
    case "Text":
    case "URI":
      return span.value
    case "Sequence":
      return plain(span.left) + plain(span.right)
    default:
      return plain(span.value)
  }
}

/** What the framework says of every option of a type; it tells nothing that the usage line does not. */
const noise =
  /^(?:A true or false value\.|A user-defined piece of text\.|A user-defined piece of text that is confidential\.|An integer\.|A floating point number\.|A file\.|One of the following: .*|This setting is optional\.|This (?:option|argument) (?:may|must) be repeated [a-z\d ]*\.)$/

const sentences = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> => {
  if (HelpDoc.isSequence(doc)) return [...sentences(doc.left), ...sentences(doc.right)]
  if (!HelpDoc.isParagraph(doc)) return []
  const sentence = plain(doc.value)
  return noise.test(sentence) ? [] : [sentence]
}

type Row = readonly [name: string, text: string]

interface Section {
  readonly title: string
  readonly rows: Array<Row>
  readonly paragraphs: Array<string>
}

/** `(-o, --output text)` as `-o, --output text`, and a list of choices without its blanks. */
const nameOf = (name: string): string =>
  name
    .replace(/ \d\+$/, "...")
    .replace(/^\((.*)\)$/, "$1")
    .replaceAll(" | ", "|")

const sectionsOf = (doc: HelpDoc.HelpDoc): ReadonlyArray<Section> => {
  const sections: Array<Section> = []
  const walk = (part: HelpDoc.HelpDoc): void => {
    if (HelpDoc.isSequence(part)) {
      walk(part.left)
      walk(part.right)
    } else if (HelpDoc.isHeader(part)) {
      sections.push({ title: plain(part.value), rows: [], paragraphs: [] })
    } else if (HelpDoc.isParagraph(part)) {
      sections.at(-1)?.paragraphs.push(plain(part.value))
    } else if (HelpDoc.isDescriptionList(part)) {
      for (const [name, text] of part.definitions) {
        sections.at(-1)?.rows.push([nameOf(plain(name)), sentences(text).join(" ")])
      }
    }
  }
  walk(doc)
  return sections
}

const section = (doc: HelpDoc.HelpDoc, title: string) => sectionsOf(doc).find((part) => part.title === title)

/** The deepest command that the arguments name. */
export const findCommand = (root: Page, args: ReadonlyArray<string>): Found => {
  let found: Found = { path: [root.name], page: root }
  for (const arg of args) {
    const page = found.page.children.find(({ name }) => name === arg)
    if (page === undefined) break
    found = { path: [...found.path, page.name], page }
  }
  return found
}

/** An option as the help shows it. */
export interface Option {
  /** The short one first, where there is one. */
  readonly names: ReadonlyArray<string>
  readonly text: string
  readonly takesValue: boolean
  /** The values that it may have, where there are few. */
  readonly choices: ReadonlyArray<string>
}

const HELP: Option = { names: ["-h", "--help"], text: "Print help.", takesValue: false, choices: [] }

/** The options of a command itself, and --help. */
export const optionsOf = ({ page }: Found): ReadonlyArray<Option> => {
  const rows = section(CommandDescriptor.getHelp(page.descriptor, config), "OPTIONS")?.rows ?? []
  const options = rows.map(([name, text]): Option => {
    const value = /(?<![a-z-])--[a-z-]+ (.+)/.exec(name)?.[1] ?? ""
    return {
      names: name.match(/(?<![a-z-])--?[a-z][a-z-]*(?=,| |$)/g) ?? [],
      text,
      takesValue: value !== "",
      choices: value.includes("|") ? value.split("|") : [],
    }
  })
  return [...options, HELP]
}

/** The names of what a command is about: `file`. */
export const positionalsOf = (page: Page): ReadonlyArray<string> =>
  (section(CommandDescriptor.getHelp(page.descriptor, config), "ARGUMENTS")?.rows ?? []).map(([name]) =>
    name.replace(/[^a-z]/g, ""),
  )

/** The options that a command knows, `--help` included. */
export const optionNames = (found: Found): ReadonlyArray<string> => {
  const rows = section(CommandDescriptor.getHelp(found.page.descriptor, config), "OPTIONS")?.rows ?? []
  return [
    ...rows.flatMap(([name]) => name.match(/--?[a-z][a-z-]*/g) ?? []),
    "--help",
    "-h",
    "--version",
    "-v",
    ...(found.path.length === 1 ? ["--completions"] : []),
  ]
}

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

const table = (rows: ReadonlyArray<Row>, columns: number): ReadonlyArray<string> => {
  const widest = Math.min(WIDEST_NAME, Math.floor(columns / 2) - 4)
  const widths = rows.map(([name]) => name.length).filter((width) => width <= widest)
  const width = Math.max(0, ...widths)
  return rows.flatMap(([name, text]) => {
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
}

const block = (title: string, lines: ReadonlyArray<string>) =>
  lines.length === 0 ? [] : ["", `${title}:`, ...lines]

export const descriptionOf = (page: Page): string =>
  section(CommandDescriptor.getHelp(page.descriptor, config), "DESCRIPTION")?.paragraphs.join(" ") ?? ""

const DEFAULT_COLUMNS = 80

/** The width that a terminal tells (COLUMNS), else 80. */
const columnsOf = (told: string): number => {
  const columns = Number(told)
  return Number.isInteger(columns) && columns > 0 ? Math.max(NARROWEST, columns) : DEFAULT_COLUMNS
}

/** The whole help page of a command, as plain text in lines that fit the columns that the terminal tells. */
export const helpText = ({ path, page }: Found, told: string): string => {
  const columns = columnsOf(told)
  const doc = CommandDescriptor.getHelp(page.descriptor, config)
  const options = section(doc, "OPTIONS")?.rows ?? []
  const positional = section(doc, "ARGUMENTS")?.rows ?? []
  const commands = page.children.map((child): Row => [child.name, descriptionOf(child)])
  const usage = [
    path.join(" "),
    ...(isGroup(page) ? ["COMMAND"] : []),
    ...(options.length > 0 ? ["[options]"] : []),
    ...positional.map(([argument]) => argument),
  ].join(" ")
  const rootOnly: ReadonlyArray<Row> = [
    ["-v, --version", "Print the version."],
    [
      "--completions bash|zsh|fish",
      "Print a completion script for that shell, such as for ~/.bashrc: source <(earmark --completions bash). docs/tutorials/first-steps.md has the others.",
    ],
  ]
  const common: ReadonlyArray<Row> = [
    [
      "-h, --help",
      path.length === 1 ? "Print this help; earmark help COMMAND that of a command." : "Print this help.",
    ],
    ...(path.length === 1 ? rootOnly : []),
  ]
  return [
    ...folded(descriptionOf(page), columns),
    "",
    `Usage: ${usage}`,
    ...block("Commands", table(commands, columns)),
    ...block("Arguments", table(positional, columns)),
    ...block("Options", table([...options, ...common], columns)),
    ...block(
      "Examples",
      page.examples.map((line) => `  ${line}`),
    ),
    "",
  ].join("\n")
}
