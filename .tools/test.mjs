// `npm test`: installs what is missing, then checks, builds, and runs every test. The last line counts them all.
import { spawn } from "node:child_process"
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { root, run, setup, setupPrograms } from "./setup.mjs"

setup()
setupPrograms()

const started = performance.now()
const total = { passed: 0, failed: 0, skipped: 0 }

/** Runs a script without waiting for it, and answers its exit code and what it printed. */
const begin = (script) =>
  new Promise((resolve) => {
    const child = spawn("npm", ["run", "--silent", ...script.split(" ")], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    })
    const printed = []
    child.stdout.on("data", (chunk) => printed.push(chunk))
    child.stderr.on("data", (chunk) => printed.push(chunk))
    child.once("error", ({ message }) => resolve({ code: 1, output: message }))
    child.once("close", (code) => resolve({ code: code ?? 1, output: Buffer.concat(printed).toString() }))
  })

const step = async (name, script) => {
  const from = performance.now()
  const { code, output } = await begin(script)
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

const looked = async () => {
  await step("format and lint", "lint")
  await step("types", "typecheck")
  await step("Effect diagnostics", "effect")
  await step("boundaries", "boundaries")
  await step("unused code", "unused")
  await step("wire document", "lint:wire")
}

const built = async () => {
  await step("build", "build")
  await step("docs are true", "docs:check")
  await step("packages", "packaging")
}

// What only reads and what builds need nothing of each other: side by side on two cores.
await Promise.all([looked(), built()])
tests()

const minutes = ((performance.now() - started) / 60_000).toFixed(1)
process.stdout.write(`\nChecks and tests together, in ${minutes} minutes:\n`)
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
process.exit(total.failed === 0 ? 0 : 1)
