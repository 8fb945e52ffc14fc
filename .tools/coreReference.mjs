// The page of @earmark/core: what each of its areas exports, from the sources.
import ts from "typescript"
import { root } from "./setup.mjs"

const firstSentence = (text) =>
  (/^[\s\S]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text).replace(/\s+/g, " ").replaceAll("|", "\\|")

const areas = [
  "feeds",
  "captions",
  "transcripts",
  "text",
  "links",
  "signing",
  "credits",
  "jobs",
  "wire",
  "operations",
  "requests",
  "audio",
  "alignment",
  "speakers",
  "xml",
]

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

const LONGEST_SIGNATURE = 160

/** Parameters and result of a function; the rest of a long one is in the types. */
const signatureOf = (checker, symbol) => {
  if (kindOf(symbol) !== "function" || symbol.valueDeclaration === undefined) return ""
  const type = checker.getTypeOfSymbolAtLocation(symbol, symbol.valueDeclaration)
  const [signature] = type.getCallSignatures()
  if (signature === undefined) return ""
  const text = checker
    .signatureToString(
      signature,
      undefined,
      ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.WriteArrowStyleSignature,
    )
    .replace(/\s+/g, " ")
    .replace(/\breadonly (?=\w+\??:)/g, "")
    .replace(/import\("[^"]*"\)\./g, "")
    .replaceAll("<ArrayBufferLike>", "")
    .replace(/\bEither\.Either</g, "Either<")
    .replace(/; \}/g, " }")
  const short = text.length > LONGEST_SIGNATURE ? `${text.slice(0, LONGEST_SIGNATURE)}...` : text
  return ` \`${short.replaceAll("|", "\\|")}\``
}

/** What a type is made of, for one that has no sentence: its fields, or the values it may have. */
const madeOf = (checker, symbol) => {
  const kind = kindOf(symbol)
  if (kind === "function") return ""
  if (kind === "value") return "A constant."
  const type = checker.getDeclaredTypeOfSymbol(symbol)
  const parts = type.isUnion() ? type.types : []
  if (parts.length > 0 && parts.every((part) => part.isStringLiteral())) {
    return `One of ${parts.map((part) => `\`${part.value}\``).join(", ")}.`
  }
  const fields = parts.length > 0 ? [] : type.getProperties().filter(({ name }) => /^\w+$/.test(name))
  const isPlain = (type.flags & ts.TypeFlags.Object) !== 0 && type.getCallSignatures().length === 0
  if (!isPlain || fields.length === 0) return "A type."
  return `With ${fields.map(({ name }) => `\`${name}\``).join(", ")}.`
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
        const kind = kindOf(symbol)
        const holds =
          `${firstSentence(text) || madeOf(checker, symbol)}${signatureOf(checker, symbol)}`.trim()
        return `| \`${symbol.name}\` | ${kind} | ${holds} |`
      })
  }
  return areas.map((area, index) => [area, rows(entries[index])])
}

export const corePage = (made) => `${made}
# @earmark/core

Every area has an entry of its own, \`@earmark/core/<area>\`; \`@earmark/core\` offers all of them as namespaces. Functions that can refuse return an \`Either\`; none throws
on bad input. Beside each function stand its parameters and its result; long ones are cut, the types have them whole.

${coreExports()
  .map(
    ([area, rows]) =>
      `## @earmark/core/${area}\n\n| name | kind | what holds |\n|---|---|---|\n${rows.join("\n")}`,
  )
  .join("\n\n")}
`
