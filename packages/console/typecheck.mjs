// The types of the application and of its tests, with those of browsers. What it imports from other packages is checked there.
import { fileURLToPath } from "node:url"
import ts from "typescript"

const here = fileURLToPath(new URL(".", import.meta.url))
const { config } = ts.readConfigFile(`${here}tsconfig.json`, ts.sys.readFile)
const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, here)
const at = (path) => fileURLToPath(new URL(`../../test/${path}`, import.meta.url))
const tests = [`${here}test/`, at("console/"), at("bench/console/")]
const program = ts.createProgram(
  [...fileNames, ...tests.flatMap((folder) => ts.sys.readDirectory(folder, [".ts"]))],
  { ...options, incremental: false, tsBuildInfoFile: undefined },
)
const OWN = [`${here}src/`, ...tests]
const own = program
  .getSourceFiles()
  .filter(({ fileName }) => OWN.some((folder) => fileName.startsWith(folder)))
const found = [...errors, ...own.flatMap((source) => ts.getPreEmitDiagnostics(program, source))]
const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => here, getNewLine: () => "\n" }
process.stdout.write(ts.formatDiagnosticsWithColorAndContext(found, host))
process.stdout.write(`${own.length} files of the console: ${found.length} type errors\n`)
process.exitCode = found.length === 0 ? 0 : 1
