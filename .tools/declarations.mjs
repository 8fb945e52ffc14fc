// The declarations of every package, as `tsc -b packages/* --noCheck` makes them, in the folder of each that the argument names.
import { existsSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import ts from "typescript"
import { root } from "./setup.mjs"

const [, , folder] = process.argv
const formatting = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => "\n",
}
const report = (diagnostic) => process.stderr.write(ts.formatDiagnostic(diagnostic, formatting))

const host = ts.createSolutionBuilderHost(ts.sys, undefined, report, () => {})
host.getParsedCommandLine = (file) => {
  const parsing = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: report }
  const parsed = ts.getParsedCommandLineOfConfigFile(file, { noCheck: true }, parsing)
  const { options } = parsed ?? {}
  if (options?.outDir === undefined) return parsed
  // In place: the compiler adds to these options later.
  options.outDir = join(dirname(file), folder)
  options.tsBuildInfoFile = join(options.outDir, "tsconfig.tsbuildinfo")
  return parsed
}
const projects = readdirSync(`${root}packages`)
  .map((name) => join(root, "packages", name))
  .filter((project) => existsSync(join(project, "tsconfig.json")))
process.exitCode = ts.createSolutionBuilder(host, projects, { noCheck: true }).build()
