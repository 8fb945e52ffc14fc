// `npm test`: installs what is missing, then checks, builds, and runs every test. The last line counts them all.
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { root, run, setup, setupPrograms } from "./setup.mjs"

setup()
setupPrograms()

const started = performance.now()
const total = { passed: 0, failed: 0, skipped: 0 }

const step = (name, script) => {
  const from = performance.now()
  const { code, output } = run("npm", ["run", "--silent", ...script.split(" ")], { quiet: true })
  total[code === 0 ? "passed" : "failed"] += 1
  const seconds = ((performance.now() - from) / 1000).toFixed(1)
  process.stdout.write(`${code === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)\n`)
  if (code !== 0) process.stdout.write(`${output}\n`)
}

const tests = () => {
  const reports = `${root}node_modules/.cache/earmark`
  const report = `${reports}/tests.json`
  mkdirSync(reports, { recursive: true })
  rmSync(report, { force: true })
  const { code } = run("npx", [
    "vitest",
    "run",
    "--config",
    "test/vitest.config.ts",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ])
  let counts
  try {
    counts = JSON.parse(readFileSync(report, "utf8"))
  } catch {
    counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }
  }
  total.passed += counts.numPassedTests
  total.failed += counts.numFailedTests
  total.skipped += counts.numPendingTests + counts.numTodoTests
  // A crash outside any test (a file that does not load, an unhandled rejection) fails the run as well.
  if (code !== 0 && counts.numFailedTests === 0) total.failed += 1
}

step("format and lint", "lint")
step("types", "typecheck")
step("Effect diagnostics", "effect")
step("boundaries", "boundaries")
step("unused code", "unused")
step("build", "build")
step("docs are true", "docs:check")
step("packages", "packaging")
tests()

const minutes = ((performance.now() - started) / 60_000).toFixed(1)
process.stdout.write(`\nChecks and tests together, in ${minutes} minutes:\n`)
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
process.exit(total.failed === 0 ? 0 : 1)
