// The pages of docs/reference that are made from definitions: { path: text }.
import { spawnSync } from "node:child_process"
import ts from "typescript"
import { root } from "./setup.mjs"

const made = "<!-- Made from the definitions by `npm run docs`. -->"

const help = (path) =>
  spawnSync(process.execPath, [`${root}packages/cli/bin/earmark.js`, ...path, "--help"], { encoding: "utf8" })
    .stdout

const commandSections = (path) => {
  const text = help(path)
  const commands = /\nCommands:\n((?: {2}.*\n)+)/.exec(text)?.[1] ?? ""
  const children = [...commands.matchAll(/^ {2}(\S+)/gm)].map((match) => match[1])
  const title = `## ${["earmark", ...path].join(" ")}`
  return [
    `${title}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\``,
    ...children.flatMap((name) => commandSections([...path, name])),
  ]
}

const commandLine = () => `${made}
# Command line

Options may stand before or after the arguments. \`-\` as a file means standard input. Data goes to standard output and nothing else does; notes and errors go to standard error.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | what was asked for could not be done: unreadable input, a signature that does not fit, faults found by \`--lint\` |
| 2 | the command line is wrong: unknown or missing options |
| 70 | a bug in earmark |
| 130 | interrupted |

An error is one sentence on standard error: what happened, and what to do.

${commandSections([]).join("\n\n")}
`

const firstSentence = (text) =>
  (/^[\s\S]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text).replace(/\s+/g, " ").replaceAll("|", "\\|")

const areas = ["jobs", "credits", "requests", "signing", "links", "feeds", "captions", "transcripts", "text"]

const kindOf = (symbol) => {
  if (symbol.flags & ts.SymbolFlags.Class) return "class"
  if (symbol.flags & ts.SymbolFlags.Function) return "function"
  if (!(symbol.flags & ts.SymbolFlags.Variable)) return "type"
  const declaration = symbol.valueDeclaration
  const initializer =
    declaration !== undefined && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined
  if (initializer === undefined) return "value"
  return ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer) ? "function" : "value"
}

const coreExports = () => {
  const entries = areas.map((area) => `${root}packages/core/src/${area}/index.ts`)
  const base = ts.readConfigFile(`${root}tsconfig.base.json`, ts.sys.readFile).config
  const { options } = ts.parseJsonConfigFileContent({ ...base, files: entries }, ts.sys, root)
  const program = ts.createProgram(entries, {
    ...options,
    noEmit: true,
    composite: false,
    incremental: false,
  })
  const checker = program.getTypeChecker()
  const rows = (entry) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry))
    if (module === undefined) return []
    return checker
      .getExportsOfModule(module)
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
      .sort((left, right) => left.name.localeCompare(right.name))
      .map((symbol) => {
        const text = ts.displayPartsToString(symbol.getDocumentationComment(checker))
        return `| \`${symbol.name}\` | ${kindOf(symbol)} | ${firstSentence(text)} |`
      })
  }
  return areas.map((area, index) => [area, rows(entries[index])])
}

const core = () => `${made}
# @earmark/core

Every area has an entry of its own, \`@earmark/core/<area>\`; \`@earmark/core\` offers all of them as namespaces. Functions that can refuse return an \`Either\`; none throws
on bad input.

${coreExports()
  .map(
    ([area, rows]) =>
      `## @earmark/core/${area}\n\n| name | kind | what holds |\n|---|---|---|\n${rows.join("\n")}`,
  )
  .join("\n\n")}
`

export const references = () => ({
  "docs/reference/command-line.md": commandLine(),
  "docs/reference/core.md": core(),
})
