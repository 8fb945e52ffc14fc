// `npm run effect`: what the compiler and the rules of Effect find. One program serves both, so that every type is resolved once.
import { createRequire } from "node:module"
import ts from "typescript"
import { root } from "./setup.mjs"

// The rules as the patched compiler runs them; the command of the package makes a program anew for every 50 files.
const { checkSourceFileWorker } = createRequire(import.meta.url)(
  "@effect/language-service/effect-lsp-patch-utils.js",
)

const fail = (diagnostics) => {
  const host = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => "\n",
  }
  process.stdout.write(ts.formatDiagnosticsWithColorAndContext(diagnostics, host))
  process.exit(1)
}

const { config } = ts.readConfigFile(`${root}test/tsconfig.json`, ts.sys.readFile)
const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, `${root}test`)
if (errors.length > 0) fail(errors)
const program = ts.createProgram(fileNames, { ...options, incremental: false, tsBuildInfoFile: undefined })

const found = [...ts.getPreEmitDiagnostics(program)]
const sources = program
  .getSourceFiles()
  .filter(({ fileName }) => /\/packages\/\w+\/src\/[^.]+\.ts$/.test(fileName))
for (const source of sources)
  checkSourceFileWorker(ts, program, source, options, (diagnostic) => found.push(diagnostic), "typescript")

if (found.length > 0) fail(found)
process.stdout.write(
  `${fileNames.length} files hold their types, and ${sources.length} the rules of Effect\n`,
)
