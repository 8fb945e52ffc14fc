/** Every regular expression in the sources of the packages, as the TypeScript compiler sees them. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** A regular expression and where it stands. */
export interface Found {
  readonly place: string
  readonly pattern: RegExp
}

/** A call of `RegExp`: what it builds is known once its module has run. */
export interface Built {
  readonly file: string
  readonly place: string
}

export const sourceFiles: ReadonlyArray<string> = readdirSync(`${root}packages`).flatMap((name) =>
  readdirSync(`${root}packages/${name}/src`, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .map((path) => `${root}packages/${name}/src/${path}`),
)

const slash = (literal: string) => literal.lastIndexOf("/")

const isRegExp = (node: ts.Node): boolean =>
  (ts.isIdentifier(node) && node.text === "RegExp") ||
  (ts.isPropertyAccessExpression(node) && node.name.text === "RegExp")

/** Methods that read a text given to them as a regular expression. */
const PATTERN_METHODS: ReadonlySet<string> = new Set(["match", "matchAll", "search"])

const isText = (node: ts.Node | undefined): boolean =>
  node !== undefined && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))

export const regularExpressionsOf = (
  file: string,
  text = readFileSync(file, "utf8"),
): { readonly found: ReadonlyArray<Found>; readonly built: ReadonlyArray<Built> } => {
  const found: Array<Found> = []
  const built: Array<Built> = []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const placeOf = (node: ts.Node) =>
    `${file.replace(root, "")}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = slash(node.text)
      found.push({
        place: placeOf(node),
        pattern: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)),
      })
    }
    const isCall = ts.isNewExpression(node) || ts.isCallExpression(node)
    if (isCall && isRegExp(node.expression)) built.push({ file, place: placeOf(node) })
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      PATTERN_METHODS.has(node.expression.name.text) &&
      isText(node.arguments[0])
    ) {
      built.push({ file, place: placeOf(node) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { found, built }
}
