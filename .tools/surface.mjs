// The public surface of each package, read from its entry points: a change of it shows in the pages that this makes.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import ts from "typescript"
import { root } from "./setup.mjs"

const parsed = new Map()
const parse = (file) => {
  if (!parsed.has(file))
    parsed.set(file, ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest))
  return parsed.get(file)
}

const sourceOf = (from, specifier) => {
  if (!specifier.startsWith(".")) return null
  const file = join(dirname(from), specifier.replace(/\.js$/, ".ts"))
  return existsSync(file) ? file : null
}

const isExported = (statement) =>
  ts.canHaveModifiers(statement) &&
  ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true

const isType = (statement) => ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)

const namesIn = (name) =>
  ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((element) => namesIn(element.name))

const declared = (statement) => {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name))
  return statement.name === undefined ? [] : [statement.name.text]
}

/** Whether a name of a file is a type and nothing else. */
const isOnlyType = (file, name) => {
  const all = file === null ? [] : exportsOf(file).filter((each) => each.name === name)
  return all.length > 0 && all.every(({ type }) => type)
}

const exportsOf = (file) =>
  parse(file).statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const specifier = statement.moduleSpecifier?.text
      const target = specifier === undefined ? file : sourceOf(file, specifier)
      const clause = statement.exportClause
      if (clause === undefined)
        return target === null ? [{ name: `* from ${specifier}`, type: false }] : exportsOf(target)
      if (ts.isNamespaceExport(clause)) {
        const members = target === null ? [] : exportsOf(target).map(({ name }) => name)
        return [{ name: clause.name.text, type: statement.isTypeOnly, members }]
      }
      return clause.elements.map(({ name, propertyName, isTypeOnly }) => ({
        name: name.text,
        type:
          statement.isTypeOnly ||
          isTypeOnly ||
          (target !== file && isOnlyType(target, (propertyName ?? name).text)),
      }))
    }
    return isExported(statement) ? declared(statement).map((name) => ({ name, type: isType(statement) })) : []
  })

const list = (names) =>
  names.length === 0
    ? ""
    : [...new Set(names)]
        .toSorted()
        .map((name) => `\`${name}\``)
        .join(", ")

const entrySection = (name, entry, file) => {
  const all = exportsOf(file)
  const values = all.filter(({ type, members }) => !type && members === undefined).map((each) => each.name)
  const types = all.filter(({ type }) => type).map((each) => each.name)
  const modules = all
    .filter(({ members }) => members !== undefined)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const parts = [
    values.length === 0 ? null : `Values: ${list(values)}.`,
    ...modules.map((module) => `\`${module.name}\`: ${list(module.members)}.`),
    types.length === 0 ? null : `Types: ${list(types.filter((type) => !values.includes(type)))}.`,
  ]
  return `## ${join(name, entry)}\n\n${parts.filter((part) => part !== null && !part.endsWith(": .")).join("\n\n")}\n`
}

/** Every page, by its path. */
export const surfacePages = (made) =>
  Object.fromEntries(
    readdirSync(`${root}packages`).flatMap((folder) => {
      const { name, exports = {} } = JSON.parse(
        readFileSync(`${root}packages/${folder}/package.json`, "utf8"),
      )
      const sections = Object.entries(exports).flatMap(([entry, { "@earmark/source": source }]) =>
        source === undefined ? [] : [entrySection(name, entry, join(root, "packages", folder, source))],
      )
      if (sections.length === 0) return []
      const intro = `What programs can import from \`${name}\`. A name that is missing here is internal and may change in any release.`
      return [
        [
          `docs/reference/exports/${folder}.md`,
          `${made}\n# Exports of ${name}\n\n${intro}\n\n${sections.join("\n")}`,
        ],
      ]
    }),
  )
