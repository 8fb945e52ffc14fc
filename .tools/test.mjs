// `npm test`: installs what is missing, then checks, builds, and runs every test. The last line counts them all.
import { spawn } from "node:child_process"
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { root, setup, setupModels, setupPrograms } from "./setup.mjs"

setup()
setupPrograms()
await setupModels()

const started = performance.now()
const total = { passed: 0, failed: 0, skipped: 0 }

/** What failed, to be told once more at the end, where nobody has to look for it. */
const failures = []
const reports = `${root}node_modules/.cache/earmark`
mkdirSync(reports, { recursive: true })

// Compilers make much that is soon garbage: with room for it they take a fifth less time.
const COMPILING = { NODE_OPTIONS: "--max-semi-space-size=128" }

/** Runs a program, and answers its exit code, the seconds that it took, and what it printed, unless that is shown as it comes. */
const ran = (command, args, { shown = false, environment = {} } = {}) =>
  new Promise((resolve) => {
    const from = performance.now()
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ["ignore", ...Array(2).fill(shown ? "inherit" : "pipe")],
    })
    const printed = []
    const end = (code, output) =>
      resolve({ code, output, seconds: ((performance.now() - from) / 1000).toFixed(1) })
    child.stdout?.on("data", (chunk) => printed.push(chunk))
    child.stderr?.on("data", (chunk) => printed.push(chunk))
    child.once("error", ({ message }) => end(1, message))
    child.once("close", (code) => end(code ?? 1, Buffer.concat(printed).toString()))
  })

const tell = (name, { code, output, seconds }) => {
  process.stdout.write(`${code === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)\n`)
  if (code !== 0) process.stdout.write(`${output}\n`)
}

const step = async (name, script, environment) => {
  const outcome = await ran("npm", ["run", "--silent", script], { environment })
  total[outcome.code === 0 ? "passed" : "failed"] += 1
  if (outcome.code !== 0) failures.push(name)
  tell(name, outcome)
}

const failuresOf = (report) =>
  (report.testResults ?? []).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === "failed")
    const file = name.replace(root, "")
    if (failed.length === 0) return message === "" ? [] : [`${file}: ${message}`]
    return failed.map((test) => `${file}: ${test.fullName}: ${test.failureMessages.join("\n")}`)
  })

/** Runs tests and adds them up. A crash outside any test (a file that does not load, an unhandled rejection) is a failure as well. */
const tests = async (name, options, reporter, shown) => {
  const report = `${reports}/${name}.json`
  rmSync(report, { force: true })
  const flags = ["--config", "test/vitest.config.ts", `--reporter=${reporter}`, "--reporter=json"]
  const outcome = await ran("npx", ["vitest", "run", ...flags, `--outputFile.json=${report}`, ...options], {
    shown,
  })
  let counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }
  try {
    counts = JSON.parse(readFileSync(report, "utf8"))
  } catch {
    // It crashed before it wrote a report, which its exit code tells.
  }
  total.passed += counts.numPassedTests
  total.failed += counts.numFailedTests
  total.skipped += counts.numPendingTests + counts.numTodoTests
  failures.push(...failuresOf(counts))
  if (outcome.code !== 0 && counts.numFailedTests === 0) {
    total.failed += 1
    failures.push(`${name}: an error outside any test`)
  }
  return outcome
}

/** What reads the sources alone. */
const checked = async () => {
  await step("format and lint", "lint")
  await step("types and Effect diagnostics", "effect", COMPILING)
  await step("boundaries", "boundaries", COMPILING)
  await step("unused code", "unused", COMPILING)
  await step("wire document", "lint:wire")
  for (const name of ["core", "unit"]) {
    const options = [`--project=${name}`, "--no-isolate", "--minWorkers=1", "--maxWorkers=1"]
    tell(`tests of ${name}`, await tests(name, options, "dot"))
  }
}

// Tests of whole programs wait much: they begin as soon as there is a build, and the rest has the cores meanwhile.
const building = step("build", "build", COMPILING)
const used = async () => {
  await building
  await tests("e2e", ["--project=e2e", "--no-isolate"], "default", true)
  await tests("rest", ["--project=programs", "--project=console", "--project=attack"], "default", true)
}
const read = async () => {
  await checked()
  await building
  await step("docs are true", "docs:check")
  await step("packages", "packaging")
}
await Promise.all([used(), read()])

const minutes = ((performance.now() - started) / 60_000).toFixed(1)
for (const failure of failures) process.stdout.write(`\nFAILED ${failure.slice(0, 1000)}\n`)
process.stdout.write(`\nChecks and tests together, in ${minutes} minutes:\n`)
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
process.exit(total.failed === 0 ? 0 : 1)
